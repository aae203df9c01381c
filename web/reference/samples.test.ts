import { expect, test } from 'bun:test'
import { LANGUAGES } from './samples.ts'

test.each(Object.values(LANGUAGES))(
  '$name has a sample of each topic, without blank lines around it',
  ({ samples }) => {
    expect(Object.keys(samples)).toEqual(['listPets', 'createPet', 'getPet', 'pages', 'repeats', 'errors'])
    for (const sample of Object.values(samples)) expect(sample).toMatch(/^\S(.|\n)*[^\s-]$/)
  },
)
