import type { PetStatus } from '../../client/src/index.ts'

/** What the service tells its page: which environment it serves, and the limits of the contract. */
export interface Facts {
  readonly environment: string
  readonly statuses: readonly PetStatus[]
  readonly nameMaxLength: number
  readonly limitMax: number
  readonly limitDefault: number
  /** As texts, since JSON has no bigint. */
  readonly int64Min: string
  readonly int64Max: string
  /** The day on which the lookup by ID will be removed, in words. */
  readonly lookupEnds: string
}

/** The element of the page that holds them. */
export const FACTS_ID = 'facts'
