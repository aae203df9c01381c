import type { AttributeValue, Span } from './span.ts'

type Attributes = Readonly<Record<string, AttributeValue | undefined>>

const SCOPE = { name: 'petstore' }
const STATUS_ERROR = 2

/** A batch of spans as OTLP's JSON: identifiers in hexadecimal, times as decimal text of nanoseconds. */
export function otlpBody(spans: readonly Span[], resource: Attributes): string {
  // Asked anew for each batch, so that a clock that is set right does not leave later spans wrong.
  const origin = Date.now() - performance.now()
  return JSON.stringify({
    resourceSpans: [
      {
        resource: { attributes: keyValues(resource) },
        scopeSpans: [{ scope: SCOPE, spans: spans.map(span => otlpSpan(span, origin)) }],
      },
    ],
  })
}

const otlpSpan = (span: Span, origin: number) => ({
  traceId: span.traceId,
  spanId: span.spanId,
  ...(span.parentSpanId !== undefined && { parentSpanId: span.parentSpanId }),
  name: span.name,
  kind: span.kind,
  startTimeUnixNano: nanoseconds(origin + span.started),
  endTimeUnixNano: nanoseconds(origin + span.ended),
  attributes: keyValues(span.attributes),
  status: span.isError ? { code: STATUS_ERROR } : {},
})

/** Microseconds are as exact as a double of this size can be. */
const nanoseconds = (ms: number): string => `${Math.round(ms * 1000)}000`

const keyValues = (attributes: Attributes) =>
  Object.entries(attributes).flatMap(([key, value]) =>
    value === undefined
      ? []
      : [{ key, value: typeof value === 'number' ? { intValue: String(value) } : { stringValue: value } }],
  )
