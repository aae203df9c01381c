import { expect, test } from 'bun:test'
import { parseDuration, urlOf } from './text.ts'

test('an IPv6 address has brackets in a URL, and a duration has up to six digits', () => {
  expect([urlOf('http', '::1', 80), urlOf('https', 'host', 443)]).toEqual([
    'http://[::1]:80',
    'https://host:443',
  ])
  expect(['999999s', '1000000s', '1'].map(parseDuration)).toEqual([999_999_000, undefined, undefined])
})
