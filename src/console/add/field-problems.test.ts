import { describe, expect, test } from 'bun:test'
import { invalid, problemsOf } from '../../contract/errors.ts'
import { NewPet } from '../../contract/pet.ts'
import { problemsByField } from './field-problems.ts'

const FIELDS = ['name', 'categoryId', 'status']

/** The sentence that the service itself says about a body. */
function refusalOf(body: unknown): string {
  const { error } = NewPet.safeParse(body)
  if (error === undefined) throw new Error('The body is valid.')
  return invalid('body', problemsOf(error)).message
}

describe("the service's sentence about a body", () => {
  test('is taken apart by field', () => {
    expect(problemsByField(refusalOf({ categoryId: 1.5, status: 'lost' }), FIELDS)).toEqual({
      name: 'is required',
      categoryId: 'must be an integer from -9223372036854775808 to 9223372036854775807',
      status: 'must be one of available, pending, sold',
    })
  })

  test('is kept whole where it belongs to no field', () => {
    expect(problemsByField(refusalOf([]), FIELDS)).toEqual({ '': 'it must be a JSON object' })
    expect(problemsByField('Something else.', FIELDS)).toEqual({ '': 'Something else.' })
  })
})
