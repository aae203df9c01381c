import type { PetStatus } from '../../../client/src/index.ts'

/** What the URL of the page says to show. */
export interface View {
  readonly status: PetStatus | undefined
  readonly limit: number
  readonly cursor: string | undefined
  readonly isAdding: boolean
}

export interface ViewLimits {
  readonly statuses: readonly PetStatus[]
  readonly limitMax: number
  readonly limitDefault: number
}

const ADDING = '#add'

/** Whatever cannot be understood is as if it were not there: an address is typed by people too. */
export function viewOf(search: string, hash: string, limits: ViewLimits): View {
  const query = new URLSearchParams(search)
  const limit = query.get('limit') ?? ''
  const isLimit = /^[1-9]\d{0,3}$/.test(limit) && Number(limit) <= limits.limitMax
  return {
    status: limits.statuses.find(known => known === query.get('status')),
    limit: isLimit ? Number(limit) : limits.limitDefault,
    cursor: query.get('cursor') || undefined,
    isAdding: hash === ADDING,
  }
}

/** The address of a view, relative to the page. */
export function addressOf({ status, limit, cursor, isAdding }: View, limits: ViewLimits): string {
  const query = new URLSearchParams({
    ...(status && { status }),
    ...(limit !== limits.limitDefault && { limit: String(limit) }),
    ...(cursor && { cursor }),
  })
  return `./${`${query}` && `?${query}`}${isAdding ? ADDING : ''}`
}

/** What a view shows, in a few words. */
export const titleOf = ({ status }: View): string =>
  status ? `${status.charAt(0).toUpperCase()}${status.slice(1)} animals` : 'Animals'
