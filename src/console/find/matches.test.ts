import { expect, test } from 'bun:test'
import type { Pet } from '../../../client/src/index.ts'
import { matchesOf } from './matches.ts'

const pets: Pet[] = [
  { id: 1n, name: 'Rex', categoryId: 7n, status: 'sold' },
  { id: 9007199254740993n, name: 'T-rex 12', categoryId: 7n, status: 'available' },
  { id: 12n, name: 'ŽOFKA', categoryId: 7n, status: 'available' },
]
const found = (query: string, status?: 'sold') => matchesOf(pets, query, status).map(({ name }) => name)

test('a name is found by any part of it, regardless of case', () => {
  expect(found('REX')).toEqual(['Rex', 'T-rex 12'])
  expect(found('žof')).toEqual(['ŽOFKA'])
  expect(found('.*')).toEqual([])
})

test('digits find the ID that they are, to the last digit, and names that hold them', () => {
  expect(found('12')).toEqual(['T-rex 12', 'ŽOFKA'])
  expect(found('9007199254740993')).toEqual(['T-rex 12'])
  expect(found('9007199254740992')).toEqual([])
})

test('a filter holds for the search too', () => expect(found('rex', 'sold')).toEqual(['Rex']))
