import { ROOT_CONTEXT, type Span, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api'
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks'
import { ExportResultCode, W3CTraceContextPropagator } from '@opentelemetry/core'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto'
import { detectResources, envDetector, resourceFromAttributes } from '@opentelemetry/resources'
import { BasicTracerProvider, BatchSpanProcessor, type SpanExporter } from '@opentelemetry/sdk-trace-base'
import { FLUSH_MS } from '../deadlines.ts'
import type { Event, Observe, RequestEvent } from './events.ts'

/** Only identifiers from the caller reach the collector, because `tracestate` is free text and could contain a key. */
const headerGetter = {
  get: (headers: Headers, name: string): string | undefined =>
    name === 'traceparent' ? (headers.get(name) ?? undefined) : undefined,
  keys: (headers: Headers): string[] => [...headers.keys()],
}

/** Sends a span for each request to a URL. The SDK reads the standard OTEL_* variables itself. */
export class Tracing {
  readonly #provider: BasicTracerProvider
  readonly #tracer
  readonly #contexts = new AsyncLocalStorageContextManager().enable()
  readonly #propagator = new W3CTraceContextPropagator()

  constructor(url: string, version: string, environment: string, report: Observe) {
    const defaults = resourceFromAttributes({
      'service.name': 'petstore',
      'service.version': version,
      'service.instance.id': crypto.randomUUID(),
      'deployment.environment.name': environment,
    })
    this.#provider = new BasicTracerProvider({
      resource: defaults.merge(detectResources({ detectors: [envDetector] })),
      spanProcessors: [new BatchSpanProcessor(reportingExporter(url, report))],
    })
    this.#tracer = this.#provider.getTracer('petstore', version)
  }

  /** Handles each request in its own span, below the caller's span if it sent one. */
  readonly inSpan =
    <In extends { readonly headers: Headers }, Out>(respond: (request: In) => Out) =>
    (request: In): Out => {
      const parent = this.#propagator.extract(ROOT_CONTEXT, request.headers, headerGetter)
      const span = this.#tracer.startSpan('request', { kind: SpanKind.SERVER }, parent)
      return this.#contexts.with(trace.setSpan(parent, span), respond, undefined, request)
    }

  /** The event that reports a request ends its span. */
  readonly observe = (event: Event): void => {
    if (event.kind !== 'request') return
    const span = trace.getSpan(this.#contexts.active())
    if (span?.isRecording()) endRequest(span, event)
  }

  /** Sends the remaining spans, unless the collector takes too long. */
  async close(): Promise<void> {
    await Promise.race([this.#provider.shutdown().catch(() => {}), Bun.sleep(FLUSH_MS)])
  }
}

/** Exports over OTLP/HTTP, and reports every batch that is lost. */
function reportingExporter(url: string, report: Observe): SpanExporter {
  const exporter = new OTLPTraceExporter({ url })
  return {
    export: (spans, done) =>
      exporter.export(spans, result => {
        const { code, error: cause } = result
        if (code === ExportResultCode.FAILED) report({ kind: 'spans-dropped', count: spans.length, cause })
        done(result)
      }),
    shutdown: () => exporter.shutdown(),
  }
}

function endRequest(span: Span, event: RequestEvent): void {
  const { method, route, operation, status, requestId, keyId } = event
  span.updateName(`${method} ${route}`)
  span.setAttributes({
    'http.request.method': method,
    'http.route': route,
    'http.response.status_code': status,
    'petstore.operation': operation,
    'petstore.request_id': requestId,
    ...(keyId !== undefined && { 'petstore.key_id': keyId }),
  })
  if (status >= 500) span.setStatus({ code: SpanStatusCode.ERROR })
  span.end()
}
