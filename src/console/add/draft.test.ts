import { describe, expect, test } from 'bun:test'
import { NewPet } from '../../contract/pet.ts'
import { animalOf, type Draft, problemsIn } from './draft.ts'

const limits = { nameMaxLength: 255, int64Min: String(-(2n ** 63n)), int64Max: String(2n ** 63n - 1n) }
const draft = (change: Partial<Draft>): Draft => ({ name: 'Rex', category: '7', status: 'sold', ...change })

describe('the problems with a draft', () => {
  test('are all told at once, in words for a person', () => {
    expect(problemsIn(draft({ name: '', category: 'dog' }), limits)).toEqual({
      name: 'Enter a name.',
      categoryId: 'Enter a whole number, such as 7.',
    })
  })

  const names = ['', ' ', 'a\0b', '\ud800', 'x'.repeat(255), '🐾'.repeat(256), '  a  ']
  const categories = ['0', '-0', ' 7 ', '9223372036854775807', '9223372036854775808', '-9223372036854775808']
  test.each(names)('are those that the service would find: name %j', name => {
    const isRefused = !NewPet.safeParse({ name, categoryId: 7n }).success
    expect(problemsIn(draft({ name }), limits).name !== undefined).toBe(isRefused)
  })

  test('White space is what Unicode calls so', () => {
    expect(problemsIn(draft({ name: '\u0085' }), limits).name).toBe('Enter a name.')
    expect(problemsIn(draft({ name: '\ufeff' }), limits).name).toBeUndefined()
  })

  test.each(categories)('are those that the service would find: category %j', category => {
    const typed = draft({ category })
    const isRefused = !NewPet.safeParse(animalOf(typed)).success
    expect(problemsIn(typed, limits).categoryId !== undefined).toBe(isRefused)
  })

  test.each(['3.5', '1e3', '0x7', '--7', '٧', '7 7', '9'.repeat(50)])('%j is no whole number', category =>
    expect(problemsIn(draft({ category }), limits).categoryId).toStartWith('Enter a whole number'),
  )
})
