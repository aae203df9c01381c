import { describe, expect, test } from 'bun:test'
import type { Pet } from '../../../client/src/index.ts'
import { advance, type Work } from '../parts/work.ts'
import { categoriesOf, ordered, type Selection, type Sort, shareOf, surveyOf } from './select.ts'

function finished<Result>(work: Work<Result>): Result {
  const done = advance(work, Infinity)
  if (!done) throw new Error('It is not done.')
  return done.result
}

const rex: Pet = { id: 1n, name: 'Rex', categoryId: 7n, status: 'sold' }
const pets: Pet[] = [
  rex,
  { id: 12n, name: 'ŽOFKA', categoryId: 40n, status: 'available' },
  { id: 9007199254740993n, name: 'T-rex 12', categoryId: 7n, status: 'available' },
]
const NAMES = { 40: 'Cats' }
const EVERYTHING: Selection = { query: '', status: undefined, category: undefined }
const survey = (selection: Partial<Selection>, among = pets) =>
  finished(surveyOf(finished(ordered(among, undefined, NAMES)), { ...EVERYTHING, ...selection }, NAMES))
const found = (query: string, rest: Partial<Selection> = {}) =>
  survey({ query, ...rest }).found.map(({ name }) => name)

describe('a search', () => {
  test('finds a name by any part of it, regardless of case', () => {
    expect(found('REX')).toEqual(['T-rex 12', 'Rex'])
    expect(found('žof')).toEqual(['ŽOFKA'])
    expect(found('.*')).toEqual([])
    expect(found('rex', { status: 'sold' })).toEqual(['Rex'])
    expect(found('rex', { category: '40' })).toEqual([])
  })

  test.each([
    ['senor', 'Señor'],
    ['Señor', 'sen\u0303or'],
    ['zofka', 'Žofka'],
    ['omalley', 'O’Malley'],
    ["o'malley", 'OMALLEY'],
    ['o’m', "O'Malley"],
    ['abcdefgh', "a'b`c´d‘e’fʻgʼh′"],
    ['strasse', 'Straße'],
    ['aeroskobing', 'Ærøskøbing'],
    ['Istanbul', 'İstanbul'],
    ['isik', 'ışık'],
    ['oeuvre', 'Œuvre'],
    ['lodz', 'Łódź'],
    ['dakovo', 'Đakovo'],
    ['bordid', 'borðið'],
    ['thor', 'Þór'],
    ['fish', 'ﬁsh'],
  ])('for %p finds %p, whatever the accents, apostrophes and composed letters', (query, name) => {
    const pet = { id: 1n, name, categoryId: 1n, status: 'sold' as const }
    expect(survey({ query }, [pet]).found).toEqual([pet])
  })

  test('for digits finds the ID that they are, to the last digit and first, a category, and names that hold them', () => {
    expect(found('12')).toEqual(['ŽOFKA', 'T-rex 12'])
    expect(found('9007199254740993')).toEqual(['T-rex 12'])
    expect(found('9007199254740992')).toEqual([])
    expect(found('7')).toEqual(['T-rex 12', 'Rex'])
    const below: Pet = { id: 2n, name: 'Newt', categoryId: -7n, status: 'sold' }
    expect(survey({ query: '-7' }, [...pets, below]).found).toEqual([below])
    const last: Pet = { ...below, id: 2n ** 63n - 1n }
    expect(survey({ query: `${last.id}` }, [...pets, last]).found).toEqual([last])
  })

  test('keeps to a category to the last digit', () => {
    const neighbours = [9007199254740992n, 9007199254740993n].map(categoryId => ({ ...rex, categoryId }))
    expect(survey({ category: '9007199254740993' }, neighbours).found).toEqual(neighbours.slice(1))
  })

  test('finds a category by any part of the name that it has in this browser', () =>
    expect(found('cat')).toEqual(['ŽOFKA']))
})

test('each count obeys the other filters, but not its own', () => {
  const chosen = survey({ status: 'available', category: '7' })
  expect(chosen.byStatus).toEqual([1, 0, 1, 0])
  expect(chosen.byCategory).toEqual([
    ['7', [1, 0, 0, 0]],
    ['40', [1, 0, 0, 0]],
  ])
  const searched = survey({ query: 'rex', status: 'available' })
  expect(searched.byStatus).toEqual([1, 0, 1, 0])
  const unknown = { id: 13n, name: 'Bo', categoryId: 7n } as Pet
  expect(survey({}, [unknown]).byStatus).toEqual([0, 0, 0, 1])
  expect(searched.byCategory).toEqual([['7', [1, 0, 0, 0]]])
  expect([searched.found.length, searched.outOf]).toEqual([1, 2])
  expect([...categoriesOf(pets).keys()]).toEqual(['7', '40'])
  expect(survey({}).byCategory.map(([id]) => id)).toEqual(['7', '40'])
})

test.each<[Sort, bigint[]]>([
  [undefined, [5n, 4n, 3n, 2n, 1n]],
  ['id', [1n, 2n, 3n, 4n, 5n]],
  ['name', [4n, 2n, 5n, 1n, 3n]],
  ['-name', [3n, 5n, 1n, 2n, 4n]],
  ['status', [5n, 2n, 4n, 3n, 1n]],
  ['-status', [1n, 4n, 3n, 5n, 2n]],
  ['category', [5n, 1n, 3n, 2n, 4n]],
  ['-category', [4n, 2n, 3n, 5n, 1n]],
])('sorted by %p, equal ones have the newest first', (sort, ids) => {
  const some: Pet[] = [
    { id: 1n, name: 'Rex', categoryId: 40n, status: 'sold' },
    { id: 2n, name: 'émile', categoryId: 9n, status: 'available' },
    { id: 3n, name: 'Zoe', categoryId: -3n, status: 'pending' },
    { id: 4n, name: 'Ada', categoryId: 10n, status: 'pending' },
    { id: 5n, name: 'Rex', categoryId: 40n, status: 'available' },
  ]
  expect(finished(ordered(some, sort, NAMES)).map(({ id }) => id)).toEqual(ids)
})

test('equal categories keep their order, however the list is sorted', () => {
  const equal = pets.map((pet, place) => ({ ...pet, categoryId: BigInt(9 - place) }))
  for (const sort of [undefined, 'id', 'name', '-status'] as const) {
    const { byCategory } = finished(surveyOf(finished(ordered(equal, sort, {})), EVERYTHING, {}))
    expect([sort, ...byCategory.map(([category]) => category)]).toEqual([sort, '7', '8', '9'])
  }
})

test.each([
  [[36, 8, 8], '69 % 15 % 15 %'],
  [[1, 1, 6], '13 % 13 % 75 %'],
  [[1, 1, 1], '33 % 33 % 33 %'],
  [[996, 0, 4], '>99 % 0 % <1 %'],
  [[4, 0, 0], '100 % 0 % 0 %'],
])('of %p, each share is right for itself, and some is neither nothing nor all', (tally, shares) =>
  expect(tally.map((_, place) => shareOf(tally, place)).join(' ')).toBe(shares),
)
