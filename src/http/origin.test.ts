import { expect, test } from 'bun:test'
import { originOf } from './origin.ts'

test('an IPv6 address has brackets in a URL', () =>
  expect([originOf('http', '::1', 80), originOf('https', 'host', 443)]).toEqual([
    'http://[::1]:80',
    'https://host:443',
  ]))
