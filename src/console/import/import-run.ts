import { InvalidRequestError, type Pet, type PetstoreError } from '../../../client/src/index.ts'
import { contentOf, type GoodRow, importKeyOf, rowsAlreadyIn } from '../../transfer/pet-file.ts'
import type { BadRow } from '../../transfer/pet-rows.ts'
import { outcomeOf } from '../add/attempt.ts'
import { Observed } from '../parts/hooks.ts'
import { failureOf, petsApi } from '../session/api.ts'
import type { Doubtful, ImportFile } from './import-file.ts'

/** Requests in progress: enough to hide the network latency, too few to be a burden. */
const AT_ONCE = 4
const FIRST_WAIT_MS = 250
const LONGEST_WAIT_MS = 15_000
/** Counts are shown this often, because rendering each of them would take longer than adding. */
const SHOW_MS = 50
/** A shorter wait is not worth a message. */
const NOTICED_MS = 1000

/** A row on its way to the service. */
interface Task {
  readonly row: GoodRow
  /** Distinguishes the idempotency key of a row that is deliberately added although the store has its animal. */
  readonly run: string
  /** If the service already has the animal of a row that was sent, it came from here. */
  isSent: boolean
}

/**
 * Adds the animals of a file. Each row has its own idempotency key, so nothing is added twice after a pause, a reload or a second
 * import.
 */
export class ImportRun {
  readonly file: ImportFile
  apiKey: string
  readonly state = new Observed<ImportRun>(this)
  startedAt = 0
  /** 0 before the start and while it is running. */
  endedAt = 0
  readonly addedIds = new Set<bigint>()
  readonly addedRows = new Set<GoodRow>()
  readonly doubtful: Readonly<Record<Doubtful, readonly GoodRow[]>>
  leftOut: readonly GoodRow[]
  /** Rows with a problem, whoever noticed it. */
  bad: readonly BadRow[]
  /** Why the import stopped by itself. */
  failure: PetstoreError | undefined
  /** Why and until when it waits before it continues by itself. */
  waiting: { readonly failure: PetstoreError; readonly until: number } | undefined
  readonly #onAdded: (pet: Pet) => void
  /** In reverse order, because the next row is taken from the end. */
  #left: Task[]
  /** Rows that are left out without having been sent, by content. */
  readonly #spare: Map<string, GoodRow[]>
  #pausing = new AbortController()
  #wait: Promise<void> | undefined
  #failuresInARow = 0
  #showing: ReturnType<typeof setTimeout> | undefined

  /** `pets` are all animals of the store. */
  constructor(file: ImportFile, pets: readonly Pet[], apiKey: string, onAdded: (pet: Pet) => void) {
    const { good, asked } = file
    const known = rowsAlreadyIn(pets, good)
    const inStore = new Set(known)
    const changed = good.filter(row => row.hasId && !inStore.has(row))
    const leftOut = new Set([...(asked.has('known') ? [] : known), ...(asked.has('changed') ? [] : changed)])
    const [toAdd, others] = [good.filter(row => !leftOut.has(row)), good.filter(row => leftOut.has(row))]
    // With their usual keys, the service would respond with the animals that it has.
    const copies = new Set(asked.has('known') ? known.map(({ pet }) => contentOf(pet)) : [])
    const run = crypto.getRandomValues(new Uint32Array(2)).join('-')
    this.file = file
    this.doubtful = { known, changed }
    this.leftOut = others
    this.bad = file.bad
    this.apiKey = apiKey
    this.#onAdded = onAdded
    this.#left = toAdd
      .map(row => ({ row, run: copies.has(contentOf(row.pet)) ? run : '', isSent: false }))
      .reverse()
    this.#spare = Map.groupBy(
      others.filter(row => inStore.has(row)),
      ({ pet }) => contentOf(pet),
    )
  }

  get stage(): 'preview' | 'running' | 'paused' | 'done' {
    if (this.startedAt === 0) return 'preview'
    if (this.endedAt === 0) return 'running'
    return this.toGo > 0 ? 'paused' : 'done'
  }

  /** Number of rows with an outcome. */
  get done(): number {
    return this.addedIds.size + this.leftOut.length + this.bad.length - this.file.bad.length
  }

  get toGo(): number {
    return this.file.good.length - this.done
  }

  /** Number of rows that were sent and have no outcome: they may have been added. */
  get unsettled(): number {
    return this.#left.filter(({ isSent }) => isSent).length
  }

  /** Starts, or continues after a pause. Another API key has other idempotency keys, so it must find nothing unsettled. */
  async run(apiKey = this.apiKey): Promise<void> {
    if (this.stage === 'running') return
    this.apiKey = apiKey
    this.#pausing = new AbortController()
    this.startedAt ||= Date.now()
    this.endedAt = 0
    this.failure = undefined
    this.#show()
    addEventListener('beforeunload', askFirst)
    await Promise.all(Array.from({ length: AT_ONCE }, () => this.#work(this.#pausing.signal)))
    removeEventListener('beforeunload', askFirst)
    this.endedAt = Date.now()
    this.#show()
  }

  /** Aborts requests in progress, which are sent again with the same idempotency key when the import continues. */
  pause(): void {
    this.#pausing.abort()
  }

  async #work(signal: AbortSignal): Promise<void> {
    // Others that were sent when it failed still get their outcomes.
    while (!signal.aborted && !this.failure) {
      const task = this.#left.pop()
      if (task === undefined) return
      const { isSent } = task
      try {
        await this.#add(task, signal)
        this.#failuresInARow = 0
      } catch (error) {
        const failure = failureOf(error)
        const { line, text } = task.row
        if (failure instanceof InvalidRequestError)
          this.bad = [...this.bad, { line, text, problem: failure.message }].sort(byLine)
        else {
          this.#left.push({ ...task, isSent: outcomeOf(failure, isSent).kind === 'unknown' })
          if (signal.aborted) return
          if (failure.retryable) await this.#waitAfter(failure, signal)
          else this.failure = failure
        }
      }
      this.#showing ??= setTimeout(() => this.#show(), SHOW_MS)
    }
  }

  async #add(task: Task, signal: AbortSignal): Promise<void> {
    const { row, run, isSent } = task
    task.isSent = true
    const { data, replayed } = await petsApi(this.apiKey)
      .create(row.pet, { idempotencyKey: importKeyOf(row, run), signal })
      .withResponse()
    this.#onAdded(data)
    if (!replayed || isSent) {
      this.addedIds.add(data.id)
      this.addedRows.add(row)
    } else {
      // The store has this one, so another with the same content that was left out for it may be missing there.
      const other = this.#spare.get(contentOf(row.pet))?.pop()
      if (other) this.#left.push({ row: other, run: '', isSent: false })
      this.leftOut = [...(other ? this.leftOut.filter(one => one !== other) : this.leftOut), row]
    }
  }

  /** After a temporary failure, everything waits as long as the service asks for, or until the browser is online again. */
  #waitAfter(failure: PetstoreError, signal: AbortSignal): Promise<void> {
    this.#wait ??= new Promise<void>(resolve => {
      const backoff = Math.min(FIRST_WAIT_MS * 2 ** this.#failuresInARow++, LONGEST_WAIT_MS)
      const ms = Math.max(failure.retryAfterMs ?? 0, backoff)
      if (ms >= NOTICED_MS) this.waiting = { failure, until: Date.now() + ms }
      const over = AbortSignal.any([signal, AbortSignal.timeout(ms)])
      over.addEventListener('abort', () => resolve())
      addEventListener('online', () => resolve(), { signal: over })
      this.#show()
    }).then(() => {
      this.#wait = undefined
      this.waiting = undefined
    })
    return this.#wait
  }

  #show(): void {
    this.#showing = undefined
    this.state.set(this)
  }
}

const byLine = (one: BadRow, other: BadRow): number => one.line - other.line

const askFirst = (event: Event): void => event.preventDefault()
