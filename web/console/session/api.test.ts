import { afterEach, beforeEach, expect, spyOn, test } from 'bun:test'
import { UnavailableError } from '../../../client/src/index.ts'
import { failureOf, petsApi } from './api.ts'

const { fetch } = globalThis
beforeEach(() => void Object.assign(globalThis, { document: { baseURI: 'http://proxy/store/' } }))
afterEach(() => {
  Object.assign(globalThis, { fetch })
  Reflect.deleteProperty(globalThis, 'document')
})

test('whatever is thrown is a failure that can be shown, with its own words', () => {
  const known = new UnavailableError('unavailable', 'Later.')
  expect(failureOf(known)).toBe(known)
  for (const thrown of [new TypeError('Broken.'), 'Broken.'])
    expect(failureOf(thrown)).toMatchObject({ code: 'unexpected_answer', message: 'Broken.' })
})

test('a call of a deprecated operation logs no warning', async () => {
  const headers = { Deprecation: '@1767225600' }
  Object.assign(globalThis, { fetch: async () => Response.json([], { headers }) })
  using warn = spyOn(console, 'warn')
  await petsApi('key').list()
  expect(warn).not.toHaveBeenCalled()
})
