import { afterAll, beforeAll, expect, test } from 'bun:test'
import { Window } from 'happy-dom'
import { BASE, HAS_ADDRESS } from '../../document.ts'
import { referenceDocument } from '../render.ts'
import { all, one } from './elements.ts'

const FILE = { name: 'a' }
const PAGE = referenceDocument({ script: FILE, style: FILE, icon: FILE }, false)
const ADDRESS = 'https://pets.example/v1'
const { document, getComputedStyle, Event } = new Window({ url: 'http://127.0.0.1:1/below/docs' })
const GLOBALS = { document, getComputedStyle }
beforeAll(async () => {
  document.body.innerHTML = PAGE.replaceAll(BASE, ADDRESS).replace(HAS_ADDRESS, ' data-has-address')
  Object.assign(globalThis, GLOBALS)
  await import('./reference.ts')
})
afterAll(() => Object.keys(GLOBALS).forEach(name => void Reflect.deleteProperty(globalThis, name)))

test('a configured address stays as it is, and without a clipboard nothing offers to copy', () => {
  for (const place of all('[data-address]')) expect(place.textContent).toBe(ADDRESS)
  for (const button of all('.copy')) expect(button.hidden).toBe(true)
})

test.each([
  ['getPet', { petId: '1/a?b' }, "'http://127.0.0.1:1/below/v1/pets/1%2Fa%3Fb'"],
  ['createPet', { categoryId: '-5' }, '"categoryId":-5'],
])('to try %s, what was typed is sent as it is, below the path of the page', (operation, typed, expected) => {
  const place = one(`[data-operation=${operation}]`)
  for (const [name, value] of Object.entries({ ...typed, key: 'k' }))
    one<HTMLInputElement>(`[name=${name}]`, place).value = value
  one('form', place).dispatchEvent(new Event('submit') as never)
  expect(one('pre', place).textContent).toContain(expected)
})
