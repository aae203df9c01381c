import { isUsable } from '../../keys/create.ts'
import type { KeyRecord } from '../../store/store.ts'

/** A time in UTC, to the minute. */
export const dateText = (date: Date | undefined): string =>
  date?.toISOString().slice(0, 16).replace('T', ' ') ?? ''

export function stateOf(key: KeyRecord): string {
  if (key.revokedAt !== undefined) return 'revoked'
  return isUsable(key) ? 'active' : 'expired'
}
