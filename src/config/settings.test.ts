import { expect, spyOn, test } from 'bun:test'
import * as os from 'node:os'
import { parseDuration, SETTINGS } from './settings.ts'

test('a duration has up to six digits and a unit', () => {
  expect(['999999s', '1000000s', '1'].map(parseDuration)).toEqual([999_999_000, undefined, undefined])
  expect(['30m', '6h', '1d'].map(parseDuration)).toEqual([1_800_000, 21_600_000, 86_400_000])
})

test.each([3, 100])('of %d processors, auto threads use as many as a service can have', count => {
  using _processors = spyOn(os, 'availableParallelism').mockReturnValue(count)
  expect(SETTINGS.threads.parse('auto')).toBe(Math.min(count, process.platform === 'linux' ? 64 : 1))
})
