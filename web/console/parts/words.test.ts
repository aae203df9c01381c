import { expect, test } from 'bun:test'
import { animals, counted, matchesText, rangeText } from './words.ts'

test('a number has the noun in its form', () => {
  expect([0, 1, 2, 1200].map(animals)).toEqual(['0 animals', '1 animal', '2 animals', '1,200 animals'])
  expect(counted(1, 'other name')).toBe('1 other name')
})

test('a search says how many match, in the form of the verb', () =>
  expect([matchesText(0, 9), matchesText(1, 9), matchesText(1, 1), matchesText(1200, 10_000)]).toEqual([
    '0 of 9 match',
    '1 of 9 matches',
    '1 of 1 matches',
    '1,200 of 10,000 match',
  ]))

test('a page with one row names it once', () =>
  expect([rangeText(1, 50, 1300), rangeText(1251, 50, 1300), rangeText(51, 1, 51)]).toEqual([
    '1–50 of 1,300',
    '1,251–1,300 of 1,300',
    '51 of 51',
  ]))
