import { InvalidRequestError, type Pet, type PetstoreError } from '../../../client/src/index.ts'
import { contentOf, type GoodRow, importKeyOf } from '../../transfer/pet-file.ts'
import type { BadRow } from '../../transfer/pet-rows.ts'
import { Observed } from '../parts/hooks.ts'
import { connect, failureOf } from '../session/connect.ts'
import type { ImportFile } from './import-file.ts'

/** Requests in progress: enough to hide the network latency, too few to be a burden. */
const AT_ONCE = 4
const FIRST_WAIT_MS = 250
const LONGEST_WAIT_MS = 15_000
/** Counts are shown this often, because rendering each of them would take longer than adding. */
const SHOW_MS = 50
/** A shorter wait is not worth a message. */
const NOTICED_MS = 1000

/**
 * Adds the animals of a file. Each row has its own idempotency key, so nothing is added twice after a pause, a reload or a second
 * import.
 */
export class ImportRun {
  readonly file: ImportFile
  readonly state = new Observed<ImportRun>(this)
  startedAt = 0
  endedAt = 0
  isRunning = false
  readonly addedIds = new Set<bigint>()
  /** Rows whose animals are already in the store. */
  leftOut: readonly GoodRow[] = []
  refused: readonly BadRow[] = []
  /** Why the import stopped by itself. */
  failure: PetstoreError | undefined
  /** Why and until when it waits before it continues by itself. */
  waiting: { readonly failure: PetstoreError; readonly until: number } | undefined
  readonly #apiKey: string
  readonly #onAdded: (pet: Pet) => void
  #left: GoodRow[] = []
  /** Rows that this run has sent. If the service already has such a row, it came from here. */
  readonly #sent = new Set<GoodRow>()
  /** Rows that are left out without having been sent, by content. */
  #spare = new Map<string, GoodRow[]>()
  /** Rows that are deliberately added again, and what distinguishes their keys from those before. */
  readonly #again = new Set<GoodRow>()
  readonly #againKey = crypto.getRandomValues(new Uint32Array(2)).join('-')
  #pausing = new AbortController()
  #wait: Promise<void> | undefined
  #failuresInARow = 0
  #showing: ReturnType<typeof setTimeout> | undefined

  constructor(file: ImportFile, apiKey: string, onAdded: (pet: Pet) => void) {
    this.file = file
    this.#apiKey = apiKey
    this.#onAdded = onAdded
  }

  get stage(): 'preview' | 'running' | 'paused' | 'done' {
    if (this.startedAt === 0) return 'preview'
    if (this.isRunning) return 'running'
    return this.toGo > 0 ? 'paused' : 'done'
  }

  /** Number of rows with an outcome. */
  get done(): number {
    return this.addedIds.size + this.leftOut.length + this.refused.length
  }

  /** Rows with a problem, whoever noticed it. */
  get bad(): readonly BadRow[] {
    return [...this.file.bad, ...this.refused].sort((one, other) => one.line - other.line)
  }

  get toGo(): number {
    return this.file.good.length - this.done
  }

  /** Number of rows that were sent and have no outcome: they may have been added. */
  get unsettled(): number {
    return this.#left.filter(row => this.#sent.has(row)).length
  }

  /** Before the start: these rows are going to be left out. */
  leaveOut(rows: readonly GoodRow[]): void {
    if (this.stage === 'preview') this.#set({ leftOut: rows })
  }

  async start(): Promise<void> {
    if (this.stage !== 'preview') return
    const leftOut = new Set(this.leftOut)
    this.#left = this.file.good.filter(row => !leftOut.has(row)).reverse()
    this.#spare = Map.groupBy(this.leftOut, ({ pet }) => contentOf(pet))
    this.startedAt = Date.now()
    await this.run()
  }

  /** Continues after a pause. */
  async run(): Promise<void> {
    if (this.isRunning) return
    const pausing = new AbortController()
    this.#pausing = pausing
    this.#set({ isRunning: true, failure: undefined })
    addEventListener('beforeunload', askFirst)
    await Promise.all(Array.from({ length: AT_ONCE }, () => this.#work(pausing)))
    removeEventListener('beforeunload', askFirst)
    this.#set({ isRunning: false, endedAt: Date.now() })
  }

  /** Adds the rows that were left out, although the store has their animals. */
  async addAgain(): Promise<void> {
    await this.start()
    if (this.isRunning) return
    for (const row of this.leftOut) {
      this.#again.add(row)
      this.#sent.delete(row)
    }
    this.#spare.clear()
    this.#left.push(...this.leftOut.toReversed())
    this.leftOut = []
    await this.run()
  }

  /** Aborts requests in progress, which are sent again with the same idempotency key when the import continues. */
  pause(): void {
    this.#pausing.abort()
  }

  async #work(pausing: AbortController): Promise<void> {
    const { signal } = pausing
    for (;;) {
      const row = signal.aborted ? undefined : this.#left.pop()
      if (row === undefined) return
      try {
        await this.#add(row, signal)
        this.#failuresInARow = 0
      } catch (error) {
        const failure = failureOf(error)
        const { line, text } = row
        if (failure instanceof InvalidRequestError)
          this.#set({ refused: [...this.refused, { line, text, problem: failure.message }] })
        else {
          this.#left.push(row)
          if (signal.aborted) return
          if (failure.retryable) await this.#waitAfter(failure, signal)
          else {
            this.#set({ failure })
            pausing.abort()
          }
        }
      }
    }
  }

  async #add(row: GoodRow, signal: AbortSignal): Promise<void> {
    const idempotencyKey = importKeyOf(row, this.#again.has(row) ? this.#againKey : '')
    const isRepeat = this.#sent.has(row)
    this.#sent.add(row)
    const { data, replayed } = await connect(this.#apiKey)
      .create(row.pet, { idempotencyKey, signal })
      .withResponse()
    this.#onAdded(data)
    if (!replayed || isRepeat) this.addedIds.add(data.id)
    else {
      // The store has this one, so another with the same content that was left out for it may be missing there.
      const other = this.#spare.get(contentOf(row.pet))?.pop()
      if (other) this.#left.push(other)
      this.leftOut = [...(other ? this.leftOut.filter(one => one !== other) : this.leftOut), row]
    }
    this.#showing ??= setTimeout(() => this.#set({}), SHOW_MS)
  }

  /** After a temporary failure, everything waits as long as the service asks for, or until the browser is online again. */
  #waitAfter(failure: PetstoreError, signal: AbortSignal): Promise<void> {
    this.#wait ??= new Promise<void>(resolve => {
      const backoff = Math.min(FIRST_WAIT_MS * 2 ** this.#failuresInARow++, LONGEST_WAIT_MS)
      const ms = Math.max(failure.retryAfterMs ?? 0, backoff)
      if (ms >= NOTICED_MS) this.#set({ waiting: { failure, until: Date.now() + ms } })
      const over = new AbortController()
      const end = () => {
        over.abort()
        clearTimeout(timer)
        this.#wait = undefined
        this.#set({ waiting: undefined })
        resolve()
      }
      const timer = setTimeout(end, ms)
      addEventListener('online', end, over)
      signal.addEventListener('abort', end, over)
    })
    return this.#wait
  }

  #set(
    change: Partial<Pick<ImportRun, 'isRunning' | 'endedAt' | 'leftOut' | 'refused' | 'failure' | 'waiting'>>,
  ) {
    Object.assign(this, change)
    clearTimeout(this.#showing)
    this.#showing = undefined
    this.state.set(this)
  }
}

const askFirst = (event: Event): void => event.preventDefault()
