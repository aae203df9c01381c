import { expect, test } from 'bun:test'
import { referenceDocument } from './render.ts'

const FILE = { name: 'a' }
const PAGE = referenceDocument({ script: FILE, style: FILE, icon: FILE }, true)
const textAt = (id: string, end = '</section>'): string =>
  (PAGE.split(`id="${id}">`)[1]?.split(end)[0] ?? '').replaceAll(/<[^>]*>/g, '').trim()

test('the statuses of an operation ascend, each with its headers; only what is read has a 304', () => {
  const statuses = (id: string) =>
    textAt(`${id}-statuses`)
      .match(/^\d{3}$/gm)
      ?.join(' ')
  expect(statuses('createPet')).toBe('201 400 401 409 413 415 422 429 500 503')
  expect(statuses('listPets')).toBe('200 304 400 401 412 429 500 503')
  expect(textAt('listPets-statuses')).toMatch(/allows\. Headers: X-Request-Id, Retry-After$/m)
})

test('a field has its range, and "required" only if it must be sent', () => {
  const field = (id: string) => textAt(id, '</div>')
  expect(field('createPet-body-name')).toMatch(/^name string required\n.*Range 1 to 255 characters/)
  expect(field('createPet-body-status')).not.toContain('required')
  expect(field('createPet-response-id')).toMatch(/^id int64\n.*Range from 1 /)
})
