import { InvalidRequestError, type Pet, type PetstoreError } from '../../../client/src/index.ts'
import { type GoodRow, importKeyOf, rowsAlreadyIn } from '../../../src/transfer/pet-file.ts'
import type { BadRow } from '../../../src/transfer/pet-rows.ts'
import { isRemembered, outcomeOf } from '../add/attempt.ts'
import { Observed } from '../parts/hooks.ts'
import type { PetIndex } from '../pets/pet-index.ts'
import { failureOf, petsApi } from '../session/api.ts'
import type { Doubtful, ImportFile } from './import-file.ts'

/** Requests in progress: enough to hide the network latency, too few to be a burden. */
const AT_ONCE = 4
const FIRST_WAIT_MS = 250
const LONGEST_WAIT_MS = 15_000
/** A shorter wait is not worth a message. */
const NOTICED_MS = 1000

/** Grows while nothing succeeds, and is never shorter than the service asks for. */
export const waitAfter = (
  failuresBefore: number,
  { retryAfterMs = 0 }: Pick<PetstoreError, 'retryAfterMs'>,
): number => Math.max(retryAfterMs, Math.min(FIRST_WAIT_MS * 2 ** failuresBefore, LONGEST_WAIT_MS))

/** A row on its way to the service. */
interface Task {
  readonly row: GoodRow
  /** Distinguishes its idempotency key from those of animals that the store had before. */
  readonly run: string
  /** Whether it was sent and has no outcome: its animal may have been added. */
  readonly isSent: boolean
}

/**
 * Adds the animals of a file. Each row has its own idempotency key, so nothing is added twice after a pause, a reload or a second
 * import.
 */
export class ImportRun {
  readonly file: ImportFile
  /** The list of the session that it belongs to. */
  readonly index: PetIndex
  readonly state = new Observed<ImportRun>(this)
  startedAt = 0
  /** 0 before the start and while it is running. */
  endedAt = 0
  /** The rows that were added, by the identifiers of their animals. */
  readonly added = new Map<bigint, GoodRow>()
  readonly doubtful: Readonly<Record<Doubtful, readonly GoodRow[]>>
  readonly leftOut: readonly GoodRow[]
  /** Rows with a problem, whoever noticed it. */
  bad: readonly BadRow[]
  /** Why the import stopped by itself. */
  failure: PetstoreError | undefined
  /** Why and until when it waits before it continues by itself. */
  waiting: { readonly failure: PetstoreError; readonly until: number } | undefined
  readonly #apiKey: string
  /** All animals that the store had before. */
  readonly #before: readonly Pet[]
  /** In reverse order, because the next row is taken from the end. */
  #left: Task[]
  #pausing = new AbortController()
  #wait: Promise<void> | undefined
  #failuresInARow = 0

  constructor(file: ImportFile, index: PetIndex, apiKey: string) {
    const { good, asked } = file
    this.#before = [...index.pets, ...index.news]
    const known = rowsAlreadyIn(this.#before, good)
    const inStore = new Set(known)
    const changed = good.filter(row => row.hasId && !inStore.has(row))
    const leftOut = new Set([...(asked.has('known') ? [] : known), ...(asked.has('changed') ? [] : changed)])
    this.file = file
    this.doubtful = { known, changed }
    this.leftOut = good.filter(row => leftOut.has(row))
    this.bad = file.bad
    this.index = index
    this.#apiKey = apiKey
    this.#left = good
      .filter(row => !leftOut.has(row))
      .map(row => ({ row, run: '', isSent: false }))
      .reverse()
  }

  get stage(): 'preview' | 'running' | 'paused' | 'done' {
    if (this.startedAt === 0) return 'preview'
    if (this.endedAt === 0) return 'running'
    return this.toGo > 0 ? 'paused' : 'done'
  }

  /** Number of rows with an outcome. */
  get done(): number {
    return this.added.size + this.leftOut.length + this.bad.length - this.file.bad.length
  }

  get toGo(): number {
    return this.file.good.length - this.done
  }

  /** Number of rows that were sent and have no outcome: they may have been added. */
  get unsettled(): number {
    return this.toGo - this.#left.filter(({ isSent }) => !isSent).length
  }

  /** Starts, or continues after a pause. */
  async run(): Promise<void> {
    if (this.stage === 'running') return
    this.#pausing = new AbortController()
    this.startedAt ||= Date.now()
    this.endedAt = 0
    this.failure = undefined
    this.state.set(this)
    await Promise.all(Array.from({ length: AT_ONCE }, () => this.#work(this.#pausing.signal)))
    this.endedAt = Date.now()
    this.state.set(this)
    // The next file is compared with what the store has now.
    if (this.stage === 'done') void this.index.refresh()
  }

  /** Aborts requests in progress, which are sent again with the same idempotency key when the import continues. */
  pause(): void {
    this.#pausing.abort()
  }

  async #work(signal: AbortSignal): Promise<void> {
    // Others that were sent when it failed still get their outcomes. The computer may sleep for days.
    while (!signal.aborted && !this.failure && isRemembered(this.startedAt)) {
      const task = this.#left.pop()
      if (task === undefined) return
      try {
        await this.#add(task, signal)
        this.#failuresInARow = 0
      } catch (error) {
        const failure = failureOf(error)
        const { kind } = outcomeOf(failure, task.isSent)
        const { line, text } = task.row
        if (kind === 'refused' && failure instanceof InvalidRequestError)
          this.bad = [...this.bad, { line, text, problem: failure.message }].sort(byLine)
        else {
          this.#left.push({ ...task, isSent: kind === 'unknown' })
          if (signal.aborted) return
          if (failure.retryable) await this.#waitAfter(failure, signal)
          else this.failure = failure
        }
      }
      this.state.setSoon(this)
    }
  }

  async #add({ row, run }: Task, signal: AbortSignal): Promise<void> {
    const { data, replayed } = await petsApi(this.#apiKey)
      .create(row.pet, { idempotencyKey: importKeyOf(row, run), signal })
      .withResponse()
    // Browsers and proxies also send a request twice, so a replay does not mean that the animal was there before.
    if (!replayed || !this.#before.some(({ id }) => id === data.id)) {
      this.added.set(data.id, row)
      this.index.own(data)
    } else this.#left.push({ row, run: `${run}+`, isSent: false })
  }

  /** After a temporary failure, everything waits as long as the service asks for, or until the browser is online again. */
  #waitAfter(failure: PetstoreError, signal: AbortSignal): Promise<void> {
    this.#wait ??= new Promise<void>(resolve => {
      const ms = waitAfter(this.#failuresInARow++, failure)
      if (ms >= NOTICED_MS) this.waiting = { failure, until: Date.now() + ms }
      const over = AbortSignal.any([signal, AbortSignal.timeout(ms)])
      over.addEventListener('abort', () => resolve())
      addEventListener('online', () => resolve(), { signal: over })
      this.state.set(this)
    }).then(() => {
      this.#wait = undefined
      this.waiting = undefined
    })
    return this.#wait
  }
}

const byLine = (one: BadRow, other: BadRow): number => one.line - other.line
