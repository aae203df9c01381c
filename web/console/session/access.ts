import { kept } from '../../storage.ts'
import { Additions } from '../add/additions.ts'
import type { ImportRun } from '../import/import-run.ts'
import { Observed } from '../parts/hooks.ts'
import { PetIndex } from '../pets/pet-index.ts'
import type { Session } from './session.ts'

/** The API key that is signed in, if any, and what outlasts it. */
export class Access {
  readonly state = new Observed<Access>(this)
  session: Session | undefined
  /** Why the last key is no longer accepted. */
  refusal: string | undefined
  readonly #additions = new Additions()
  readonly #importing = new Observed<ImportRun | undefined>(undefined)

  constructor() {
    this.use(kept.apiKey.get())
  }

  /** Whether animals may be lost or added twice if the page is left. */
  get isImporting(): boolean {
    const run = this.#importing.value
    return run !== undefined && (run.stage === 'running' || run.unsettled > 0)
  }

  use(apiKey: string | undefined, refusal?: string): void {
    // An import goes on only with its own API key.
    this.#importing.value?.pause()
    kept.apiKey.set(apiKey)
    this.refusal = refusal
    this.session = apiKey ? this.#sessionOf(apiKey) : undefined
    this.#additions.index = this.session?.index
    this.state.set(this)
  }

  #sessionOf(apiKey: string): Session {
    const session: Session = {
      apiKey,
      additions: this.#additions,
      index: new PetIndex(apiKey),
      importing: this.#importing,
      leave: reason => {
        // A late response may be about a key that is no longer used.
        if (this.session === session) this.use(undefined, reason)
      },
      signOut: () => {
        this.#additions.signOut()
        this.use(undefined)
        if (!this.#importing.value?.unsettled) this.#importing.set(undefined)
      },
    }
    return session
  }
}
