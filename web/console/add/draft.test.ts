import { expect, test } from 'bun:test'
import { readNewPet } from '../../../src/contract/pet.ts'
import { type Draft, numberOf, problemsIn, problemWithNumber } from './draft.ts'

const draft = (name: string, category: string): Draft => ({ name, category, status: 'available' })

test.each([
  ...['', ' ', '\u0085\u3000', '\ufeff', 'Rex', 'x'.repeat(255), 'x'.repeat(256)],
  ...['🐕'.repeat(255), '🐕'.repeat(256), 'a\0b', '\ud800', '\n'],
])('the form takes the name %j if the contract does', name =>
  expect(problemsIn(draft(name, '7')).name === undefined).toBe(
    readNewPet({ name, categoryId: 7 }).problem === undefined,
  ),
)

test.each([0n, -1n, 2n ** 63n - 1n, -(2n ** 63n), 2n ** 63n, -(2n ** 63n) - 1n])(
  'the form takes the category %d if the contract does',
  categoryId =>
    expect(problemsIn(draft('Rex', String(categoryId))).category === undefined).toBe(
      readNewPet({ name: 'Rex', categoryId }).problem === undefined,
    ),
)

test('what is no whole number is a problem in words, and blanks around one are none', () => {
  for (const text of ['', 'dog', '3.5', '0x7', '1e3', '--1'])
    expect(problemsIn(draft('Rex', text)).category).toStartWith('Enter a')
  expect(problemWithNumber('9'.repeat(30))).toStartWith('Enter a whole number from')
  expect(problemsIn(draft('Rex', ' 7 '))).toEqual({})
})

test('a category may be typed by its name in this browser', () => {
  const names = { '9007199254740993': 'Dogs' }
  expect(numberOf(' dogs ', names)).toBe('9007199254740993')
  expect(numberOf(' 7 ', names)).toBe('7')
  expect(numberOf('2024', { 7: '2024' })).toBe('2024')
  expect(numberOf('-5', { 7: '-5' })).toBe('-5')
  // What every object has is not the name of a category.
  expect(problemWithNumber(numberOf('constructor', names))).toContain('Enter a whole number')
})

test('a name that two categories have is no category: which one is meant is not known', () => {
  const names = { 7: 'Dogs', 12: 'dogs' }
  expect(problemWithNumber(numberOf('Dogs', names))).toContain('a name you gave to one category')
})
