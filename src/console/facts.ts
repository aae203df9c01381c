import type { PetStatus } from '../../client/src/index.ts'

/** What the service tells its page. */
export interface Facts {
  readonly environment: string
  readonly statuses: readonly PetStatus[]
}

/** The element of the page that holds them. */
export const FACTS_ID = 'facts'
