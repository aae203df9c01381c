import type { SpanContext } from './span.ts'

const SHAPE = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/
const SAMPLED = 1

/** The caller's span by W3C Trace Context; undefined where the header is missing or not as it must be. */
export function parseTraceparent(header: string | null): SpanContext | undefined {
  const [, version, traceId = '', spanId = '', flags = '', more] = SHAPE.exec(header ?? '') ?? []
  if (version === undefined || version === 'ff') return undefined
  // Later versions may say more; this one says just that.
  if (version === '00' && more !== undefined) return undefined
  if (/^0+$/.test(traceId) || /^0+$/.test(spanId)) return undefined
  return { traceId, spanId, isSampled: (Number.parseInt(flags, 16) & SAMPLED) === SAMPLED }
}
