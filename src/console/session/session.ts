import type { Additions } from '../add/additions.ts'
import { context, type Observed } from '../parts/hooks.ts'
import type { PetIndex } from '../pets/pet-index.ts'
import type { ImportRun } from '../sheets/import-run.ts'

/** All that belongs to the API key that is signed in. */
export interface Session {
  readonly apiKey: string
  readonly index: PetIndex
  readonly additions: Additions
  /** The import goes on whether its sheet is open or not. */
  readonly importing: Observed<ImportRun | undefined>
}

export const [SessionProvider, useSession] = context<Session>('The session')
