export interface SpanContext {
  readonly traceId: string
  readonly spanId: string
  readonly isSampled: boolean
}

export type AttributeValue = string | number

/** Of OTLP's kinds, those that occur here. */
export const SERVER = 2
export const CLIENT = 3

/** One finished piece of work, before it is written as OTLP. Times are those of the monotonic clock. */
export interface Span extends SpanContext {
  readonly parentSpanId: string | undefined
  readonly name: string
  readonly kind: typeof SERVER | typeof CLIENT
  readonly started: number
  readonly ended: number
  readonly isError: boolean
  readonly attributes: Readonly<Record<string, AttributeValue | undefined>>
}

const TRACE_BYTES = 16
const SPAN_BYTES = 8

export const newTraceId = (): string => hex(TRACE_BYTES)
export const newSpanId = (): string => hex(SPAN_BYTES)

const hex = (bytes: number): string => crypto.getRandomValues(Buffer.alloc(bytes)).toString('hex')
