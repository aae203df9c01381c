import { expect, test } from 'bun:test'
import type { Pet } from '../../../client/src/index.ts'
import { categoriesOf, countsOf, type Selection, selected } from './select.ts'

const pets: Pet[] = [
  { id: 1n, name: 'Rex', categoryId: 7n, status: 'sold' },
  { id: 12n, name: 'ŽOFKA', categoryId: 40n, status: 'available' },
  { id: 9007199254740993n, name: 'T-rex 12', categoryId: 7n, status: 'available' },
]
const found = (query: string, rest: Partial<Selection> = {}) =>
  selected(pets, { query, status: undefined, order: 'newest', ...rest }, { 40: 'Cats' }).map(
    ({ name }) => name,
  )

test('the newest come first, unless the oldest are asked for', () => {
  expect(found('')).toEqual(['T-rex 12', 'ŽOFKA', 'Rex'])
  expect(found('', { order: 'oldest' })).toEqual(['Rex', 'ŽOFKA', 'T-rex 12'])
})

test('a name is found by any part of it, regardless of case', () => {
  expect(found('REX')).toEqual(['T-rex 12', 'Rex'])
  expect(found('žof')).toEqual(['ŽOFKA'])
  expect(found('.*')).toEqual([])
  expect(found('rex', { status: 'sold' })).toEqual(['Rex'])
})

test('digits find the ID that they are, to the last digit, a category, and names that hold them', () => {
  expect(found('12')).toEqual(['T-rex 12', 'ŽOFKA'])
  expect(found('9007199254740993')).toEqual(['T-rex 12'])
  expect(found('9007199254740992')).toEqual([])
  expect(found('7')).toEqual(['T-rex 12', 'Rex'])
})

test('a category is found by the name that it has in this browser', () =>
  expect(found('cat')).toEqual(['ŽOFKA']))

test('animals are counted by status, and categories by use', () => {
  expect([...countsOf(pets)]).toEqual([
    ['sold', 1],
    ['available', 2],
  ])
  expect(categoriesOf(pets)).toEqual(['7', '40'])
})
