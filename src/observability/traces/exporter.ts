import type { Observe } from '../events.ts'
import { otlpBody } from './otlp.ts'
import type { AttributeValue, Span } from './span.ts'

const EVERY_MS = 1000
const MAX_BATCH = 512
/** A collector that is slow or gone must not make the service grow; beyond this, spans are counted instead of kept. */
const MAX_WAITING = 8192
const SEND_MS = 5000
/** The process has 10 seconds to end, and most of them belong to requests. */
const CLOSE_MS = 1000

export interface ExporterOptions {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly resource: Readonly<Record<string, AttributeValue>>
  readonly report: Observe
}

/** Sends spans to a collector over OTLP/HTTP, many at once, without anyone waiting for it. */
export class Exporter {
  readonly #options: ExporterOptions
  readonly #timer: Timer
  #waiting: Span[] = []
  #dropped = 0
  #sending: Promise<void> | undefined
  #isFailing = false

  constructor(options: ExporterOptions) {
    this.#options = options
    this.#timer = setInterval(() => void this.#flush(), EVERY_MS)
    this.#timer.unref()
  }

  add(span: Span): void {
    if (this.#waiting.length >= MAX_WAITING) this.#dropped++
    else this.#waiting.push(span)
    if (this.#waiting.length >= MAX_BATCH) void this.#flush()
  }

  /** Sends what is left, unless the collector takes too long. */
  async close(): Promise<void> {
    clearInterval(this.#timer)
    await Promise.race([this.#flush().then(() => this.#flush()), Bun.sleep(CLOSE_MS)])
    this.#reportDropped(this.#waiting.length)
  }

  #flush(): Promise<void> {
    this.#sending ??= this.#sendAll().finally(() => {
      this.#sending = undefined
    })
    return this.#sending
  }

  async #sendAll(): Promise<void> {
    while (this.#waiting.length > 0) {
      const batch = this.#waiting.splice(0, MAX_BATCH)
      try {
        await this.#send(batch)
        this.#isFailing = false
      } catch (cause) {
        this.#dropped += batch.length
        this.#reportFailure(cause)
        break
      }
    }
    this.#reportDropped()
  }

  async #send(batch: readonly Span[]): Promise<void> {
    const { url, headers, resource } = this.#options
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', ...headers },
      body: otlpBody(batch, resource),
      signal: AbortSignal.timeout(SEND_MS),
      redirect: 'error',
    })
    await response.bytes()
    if (!response.ok) throw new Error(`The collector answered ${response.status}`)
  }

  /** Once for each time that the collector is lost, not once a second. */
  #reportFailure(cause: unknown): void {
    if (!this.#isFailing)
      this.#options.report({ kind: 'background-task-failed', task: 'sending traces', cause })
    this.#isFailing = true
  }

  #reportDropped(more = 0): void {
    const count = this.#dropped + more
    this.#dropped = 0
    if (count > 0) this.#options.report({ kind: 'spans-dropped', count })
  }
}
