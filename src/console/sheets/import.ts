import { InvalidRequestError, PET_STATUSES, type Pet, type PetstoreError } from '../../../client/src/index.ts'
import {
  type BadRow,
  type Fields,
  type GoodRow,
  importKeyOf,
  type PetFile,
  readPetFile,
} from '../../transfer/pet-file.ts'
import { petOf, problemsIn } from '../add/draft.ts'
import { Observed } from '../parts/hooks.ts'
import { connect, failureOf, PATIENT } from '../session/connect.ts'

/** A chosen file: its animals, and the problems with its other rows. */
export interface ImportFile extends PetFile {
  readonly name: string
  /** The bad rows as a separate file, to be corrected and chosen again. */
  readonly textOf: (rows: readonly BadRow[]) => string
}

export function importFile(bytes: Uint8Array, name: string): ImportFile {
  const { good, bad } = readPetFile(bytes, name, fields => checked(Object(fields) as Fields))
  const starts = [...good, ...bad].map(({ line }) => line).sort((one, other) => one - other)
  return {
    name,
    good,
    bad,
    textOf: rows => {
      const lines = new TextDecoder().decode(bytes).split('\n')
      const textFrom = (start: number, end: number | undefined) =>
        lines
          .slice(start - 1, end && end - 1)
          .join('\n')
          .trimEnd()
      const head = textFrom(1, starts[0])
      const texts = rows.map(({ line }) =>
        textFrom(
          line,
          starts.find(start => start > line),
        ),
      )
      return `${[...(head ? [head] : []), ...texts].join('\n')}\n`
    },
  }
}

/** Checks a row by the rules of the form, in words for people. */
function checked({ name, categoryId, status = 'available' }: Fields) {
  const known = PET_STATUSES.find(one => one === status)
  // It is text if the reader could not parse it as a whole number.
  const category = typeof categoryId === 'string' ? 'text' : String(categoryId ?? '')
  const draft = { name: typeof name === 'string' ? name : '', category, status: known ?? 'available' }
  const problems = problemsIn(draft)
  const texts = [
    problems.name && `Name: ${problems.name}`,
    problems.category && 'Category: Enter a whole number, such as 7.',
    known === undefined && `Status: use one of ${PET_STATUSES.join(', ')}.`,
  ].filter(Boolean)
  return texts.length > 0 ? { problem: texts.join(' ') } : { pet: { ...petOf(draft), status: draft.status } }
}

/** Requests in progress: enough to hide the network latency, too few to be a burden. */
const AT_ONCE = 4

interface ImportState {
  readonly added: number
  /** Added by an earlier import within the last 24 hours. */
  readonly already: readonly GoodRow[]
  readonly refused: readonly BadRow[]
  readonly isRunning: boolean
  /** Why the import stopped by itself. */
  readonly failure: PetstoreError | undefined
}

/**
 * Adds the animals of a file. Each row has its own idempotency key, so nothing is added twice after a pause, a reload or a second
 * import.
 */
export class ImportRun {
  readonly file: ImportFile
  readonly state = new Observed<ImportState>({
    added: 0,
    already: [],
    refused: [],
    isRunning: false,
    failure: undefined,
  })
  readonly #apiKey: string
  readonly #onAdded: (pet: Pet) => void
  readonly #left: GoodRow[]
  /** Rows that this run has sent. If the service already has such a row, it came from here. */
  readonly #sent = new Set<GoodRow>()
  /** Distinguishes rows that are deliberately added again from rows that were added before. */
  #again = ''
  #pausing = new AbortController()

  constructor(file: ImportFile, apiKey: string, onAdded: (pet: Pet) => void) {
    this.file = file
    this.#apiKey = apiKey
    this.#onAdded = onAdded
    this.#left = [...file.good].reverse()
  }

  /** Number of rows with an outcome. */
  get done(): number {
    const { added, already, refused } = this.state.value
    return added + already.length + refused.length
  }

  async run(): Promise<void> {
    if (this.state.value.isRunning) return
    const pausing = new AbortController()
    this.#pausing = pausing
    this.#set({ isRunning: true, failure: undefined })
    addEventListener('beforeunload', askFirst)
    await Promise.all(Array.from({ length: AT_ONCE }, () => this.#work(pausing)))
    removeEventListener('beforeunload', askFirst)
    this.#set({ isRunning: false })
  }

  /** Adds the rows again that had been added before. */
  async addAgain(): Promise<void> {
    this.#again = crypto.getRandomValues(new Uint32Array(2)).join('-')
    this.#left.push(...this.state.value.already.toReversed())
    this.#sent.clear()
    this.#set({ already: [] })
    await this.run()
  }

  /** Aborts requests in progress, which are sent again with the same idempotency key when the import continues. */
  pause(): void {
    this.#pausing.abort()
  }

  async #work(pausing: AbortController): Promise<void> {
    for (;;) {
      const row = pausing.signal.aborted ? undefined : this.#left.pop()
      if (row === undefined) return
      try {
        await this.#add(row, pausing.signal)
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

  async #add(row: GoodRow, signal: AbortSignal): Promise<void> {
    const options = { idempotencyKey: importKeyOf(row, this.#again), signal }
    const isRepeat = this.#sent.has(row)
    this.#sent.add(row)
    const { data, replayed, attempts } = await connect(this.#apiKey, undefined, PATIENT)
      .create(row.pet, options)
      .withResponse()
    this.#onAdded(data)
    const { added, already } = this.state.value
    this.#set(replayed && !isRepeat && attempts === 1 ? { already: [...already, row] } : { added: added + 1 })
  }

  #set(change: Partial<ImportState>): void {
    this.state.set({ ...this.state.value, ...change })
  }
}

const askFirst = (event: Event): void => event.preventDefault()
