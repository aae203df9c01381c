import { expect, test } from 'bun:test'
import { parseTraceparent } from './traceparent.ts'

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736'
const SPAN = '00f067aa0ba902b7'

test.each([
  [`00-${TRACE}-${SPAN}-01`, true],
  [`00-${TRACE}-${SPAN}-00`, false],
  [`00-${TRACE}-${SPAN}-03`, true],
  [`cc-${TRACE}-${SPAN}-01-what-a-later-version-adds`, true],
])('%s is a parent', (header, isSampled) => {
  expect(parseTraceparent(header)).toEqual({ traceId: TRACE, spanId: SPAN, isSampled })
})

test.each([
  [null],
  [''],
  ['nonsense'],
  [`ff-${TRACE}-${SPAN}-01`],
  [`00-${TRACE}-${SPAN}-01-more`],
  [`00-${TRACE.toUpperCase()}-${SPAN}-01`],
  [`00-${'0'.repeat(32)}-${SPAN}-01`],
  [`00-${TRACE}-${'0'.repeat(16)}-01`],
  [`00-${TRACE}-${SPAN}`],
  [`00-${TRACE}-${SPAN}-01, 00-${TRACE}-${SPAN}-01`],
])('%p is ignored', header => {
  expect(parseTraceparent(header)).toBeUndefined()
})
