import { InvalidRequestError, type PetstoreError } from '../../../client/src/index.ts'
import { type BadRow, type GoodRow, importKeyOf, type PetFile } from '../../transfer/pet-file.ts'
import { Observed } from '../parts/observed.ts'
import { connect, failureOf, LONG_PATIENCE } from '../request/connect.ts'

/** Enough to hide the way to the service, too few to be a burden. */
const AT_ONCE = 4

export interface ImportState {
  readonly added: number
  /** Added by an earlier import within the last 24 hours. */
  readonly already: readonly GoodRow[]
  readonly refused: readonly BadRow[]
  readonly isRunning: boolean
  /** Why it paused automatically. */
  readonly failure: PetstoreError | undefined
}

/** Adds the animals of a file. Each row has its own idempotency key, so pausing, a reload or the file again double nothing. */
export class ImportRun {
  readonly state = new Observed<ImportState>({
    added: 0,
    already: [],
    refused: [],
    isRunning: false,
    failure: undefined,
  })
  readonly fileName: string
  readonly parsed: PetFile
  readonly #left: GoodRow[]
  /** Tells rows that are added once more on purpose from those that were added. */
  #again = ''
  #pausing = new AbortController()

  constructor(fileName: string, parsed: PetFile) {
    this.fileName = fileName
    this.parsed = parsed
    this.#left = [...parsed.good].reverse()
  }

  get isDone(): boolean {
    const { added, already, refused } = this.state.value
    return added + already.length + refused.length === this.parsed.good.length
  }

  async run(apiKey: string): Promise<void> {
    if (this.state.value.isRunning) return
    const pausing = new AbortController()
    this.#pausing = pausing
    this.#set({ isRunning: true, failure: undefined })
    addEventListener('beforeunload', askFirst)
    await Promise.all(Array.from({ length: AT_ONCE }, () => this.#work(apiKey, pausing)))
    removeEventListener('beforeunload', askFirst)
    this.#set({ isRunning: false })
  }

  /** Adds the rows that had been added before once more. */
  async addAgain(apiKey: string): Promise<void> {
    this.#again = crypto.getRandomValues(new Uint32Array(2)).join('-')
    this.#left.push(...this.state.value.already.toReversed())
    this.#set({ already: [] })
    await this.run(apiKey)
  }

  /** Requests in progress are aborted; they are sent again with the same key when the import continues. */
  pause(): void {
    this.#pausing.abort()
  }

  async #work(apiKey: string, pausing: AbortController): Promise<void> {
    for (;;) {
      const row = pausing.signal.aborted ? undefined : this.#left.pop()
      if (row === undefined) return
      try {
        await this.#add(row, apiKey, pausing.signal)
      } catch (error) {
        const failure = failureOf(error)
        const { refused } = this.state.value
        if (failure instanceof InvalidRequestError)
          this.#set({ refused: [...refused, { line: row.line, problem: failure.message }] })
        else {
          this.#left.push(row)
          if (!pausing.signal.aborted) this.#set({ failure })
          pausing.abort()
        }
      }
    }
  }

  async #add(row: GoodRow, apiKey: string, signal: AbortSignal): Promise<void> {
    let isReplayed = false
    const { pets } = connect(
      apiKey,
      ({ answer }) => {
        isReplayed = answer?.headers.some(([name]) => name === 'idempotent-replayed') ?? false
      },
      LONG_PATIENCE,
    )
    await pets.create(row.pet, { idempotencyKey: importKeyOf(row, this.#again), signal })
    const { added, already } = this.state.value
    this.#set(isReplayed ? { already: [...already, row] } : { added: added + 1 })
  }

  #set(change: Partial<ImportState>): void {
    this.state.set({ ...this.state.value, ...change })
  }
}

const askFirst = (event: Event): void => event.preventDefault()
