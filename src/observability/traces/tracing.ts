import { AsyncLocalStorage } from 'node:async_hooks'
import type { Event } from '../events.ts'
import type { Exporter } from './exporter.ts'
import { type AttributeValue, CLIENT, newSpanId, newTraceId, SERVER, type SpanContext } from './span.ts'
import { parseTraceparent } from './traceparent.ts'

type Request = Extract<Event, { kind: 'request' }>

interface Current extends SpanContext {
  readonly parentSpanId: string | undefined
}

const FIRST_FAULT_OF_OURS = 500

/** Follows a request through the code: a span for it, and one for each call of the store below it. */
export class Tracing {
  readonly #exporter: Exporter
  readonly #ratio: number
  readonly #current = new AsyncLocalStorage<Current>()

  constructor(exporter: Exporter, ratio: number) {
    this.#exporter = exporter
    this.#ratio = ratio
  }

  /** Runs an exchange as a span of its own, below the caller's where it sent one. */
  readonly around =
    <In extends { readonly headers: Headers }, Out>(exchanging: (request: In) => Out) =>
    (request: In): Out => {
      const parent = parseTraceparent(request.headers.get('traceparent'))
      const current = {
        traceId: parent?.traceId ?? newTraceId(),
        spanId: newSpanId(),
        parentSpanId: parent?.spanId,
        isSampled: parent?.isSampled ?? Math.random() < this.#ratio,
      }
      return this.#current.run(current, exchanging, request)
    }

  /** An exchange reports its end as an event, and that is the end of its span. */
  readonly observe = (event: Event): void => {
    const current = event.kind === 'request' ? this.#current.getStore() : undefined
    if (current?.isSampled) this.#endRequest(event as Request, current)
  }

  /** Measures a call of the store, now or when its promise is settled. */
  readonly call = <T>(
    name: string,
    attributes: Readonly<Record<string, AttributeValue>>,
    work: () => T,
  ): T => {
    const parent = this.#current.getStore()
    if (!parent?.isSampled) return work()
    const started = performance.now()
    const end = (isError: boolean): void =>
      this.#exporter.add({
        ...parent,
        spanId: newSpanId(),
        parentSpanId: parent.spanId,
        name,
        kind: CLIENT,
        started,
        ended: performance.now(),
        isError,
        attributes,
      })
    try {
      const result = work()
      if (result instanceof Promise)
        result.then(
          () => end(false),
          () => end(true),
        )
      else end(false)
      return result
    } catch (error) {
      end(true)
      throw error
    }
  }

  close(): Promise<void> {
    return this.#exporter.close()
  }

  #endRequest(
    { method, route, operation, status, durationMs, requestId, keyId }: Request,
    current: Current,
  ): void {
    const ended = performance.now()
    this.#exporter.add({
      ...current,
      name: `${method} ${route}`,
      kind: SERVER,
      started: ended - durationMs,
      ended,
      isError: status >= FIRST_FAULT_OF_OURS,
      attributes: {
        'http.request.method': method,
        'http.route': route,
        'http.response.status_code': status,
        'petstore.operation': operation,
        'petstore.request_id': requestId,
        'petstore.key_id': keyId,
      },
    })
  }
}
