import { expect, test } from 'bun:test'
import { daysUntil, deprecations } from './deprecations.ts'

const SUNSET = new Date('2030-12-05T00:00:00Z')

test('getPet is the one operation that is to be removed, on 5 December 2030', () => {
  expect(deprecations().map(({ operation, sunset }) => [operation, sunset])).toEqual([['getPet', SUNSET]])
})

test.each([
  ['2030-11-05T00:00:00Z', 30],
  ['2030-12-03T23:59:59Z', 2],
  ['2030-12-04T00:00:01Z', 1],
  ['2030-12-05T00:00:00Z', 0],
  ['2031-01-01T00:00:00Z', 0],
])('at %s %d days remain', (now, days) => {
  expect(daysUntil(SUNSET, new Date(now))).toBe(days)
})
