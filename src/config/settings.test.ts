import { expect, test } from 'bun:test'
import { parseDuration } from './settings.ts'

test('a duration has up to six digits', () =>
  expect(['999999s', '1000000s', '1'].map(parseDuration)).toEqual([999_999_000, undefined, undefined]))
