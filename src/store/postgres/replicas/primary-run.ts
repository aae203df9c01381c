import { isUnavailable } from '../../unavailable.ts'
import type { Connections } from '../connection/connections.ts'
import type { History } from '../connection/history.ts'
import { RUN } from '../connection/prove.ts'

/** The row of `meta` that names the present run of the primary. */
export const PRIMARY_RUN = 'primary_run'

/**
 * A standby that has the row has followed the primary since its present run began, so it has no animals of a history that
 * was lost: another run, which writes another value, begins with every promotion and restart.
 */
const MARK = `
  WITH marked AS (
    INSERT INTO meta SELECT '${PRIMARY_RUN}', ${RUN}
      WHERE NOT EXISTS (SELECT FROM meta WHERE name = '${PRIMARY_RUN}' AND value = ${RUN})
      ON CONFLICT (name) DO UPDATE SET value = excluded.value
  ) SELECT ${RUN} AS run`

/** A failed attempt is repeated after this time. */
const REST_MS = 5000

export interface Run {
  readonly name: string
  /** The number of the history that it belongs to. */
  readonly history: number
  /** The highest revision that the primary has reported in it. */
  revision: bigint
}

/** Marks each run of the primary. */
export class PrimaryRun {
  readonly #primary: Connections
  readonly #history: History
  readonly #onFailure: (error: unknown) => void
  #run: Run | undefined
  #marking: Promise<void> | undefined
  #restsUntil = 0
  #hasReported = false

  constructor(primary: Connections, history: History, onFailure: (error: unknown) => void) {
    this.#primary = primary
    this.#history = history
    this.#onFailure = onFailure
  }

  /** The present run, once it is marked. No request waits for that. */
  get present(): Run | undefined {
    if (this.#run !== undefined && this.isPresent(this.#run)) return this.#run
    if (performance.now() >= this.#restsUntil)
      this.#marking ??= this.#mark().finally(() => {
        this.#marking = undefined
      })
    return undefined
  }

  isPresent(run: Run): boolean {
    return run.history === this.#history.number
  }

  async #mark(): Promise<void> {
    const history = this.#history.number
    try {
      const [row] = await this.#primary.query<{ run: string }>({ text: MARK })
      // If the history changed meanwhile, this run is not the present one, and the next call marks that.
      if (row !== undefined) this.#run = { name: row.run, history, revision: 0n }
    } catch (error) {
      this.#restsUntil = performance.now() + REST_MS
      // Where the primary cannot answer, requests fail too, and report it.
      if (this.#hasReported || isUnavailable(error)) return
      this.#hasReported = true
      this.#onFailure(error)
    }
  }
}
