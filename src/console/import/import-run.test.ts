import { afterEach, beforeEach, expect, test } from 'bun:test'
import type { Pet } from '../../../client/src/index.ts'
import { type Doubtful, importFile } from './import-file.ts'
import { ImportRun } from './import-run.ts'

/** The animals of the store, and those that were added by their idempotency keys. */
let store: Pet[] = []
let keys = new Map<string, Pet>()

async function addPet(_url: string, { body, headers }: RequestInit): Promise<Response> {
  const key = new Headers(headers).get('idempotency-key') ?? ''
  const { name, categoryId, status } = JSON.parse(String(body))
  const replayed = keys.get(key)
  const pet = replayed ?? { id: BigInt(store.length + 1), name, categoryId: BigInt(categoryId), status }
  if (!replayed) store.push(pet)
  keys.set(key, pet)
  const json = JSON.stringify({ ...pet, id: Number(pet.id), categoryId: Number(pet.categoryId) })
  return new Response(json, { status: 201, headers: replayed ? { 'Idempotent-Replayed': 'true' } : {} })
}

const real = { fetch: globalThis.fetch }
beforeEach(() => {
  store = []
  keys = new Map()
  Object.assign(globalThis, { fetch: addPet, document: { baseURI: 'http://store/' } })
})
afterEach(() => {
  Object.assign(globalThis, real)
  Reflect.deleteProperty(globalThis, 'document')
})

function chosen(text: string, ...asked: Doubtful[]): ImportRun {
  const bytes = new TextEncoder().encode(text)
  const file = importFile(
    { bytes, name: 'a.csv', chosenAt: 0, answers: new Map(), asked: new Set(asked) },
    {},
  )
  return new ImportRun(file, store, 'key', () => {})
}

async function added(text: string, ...asked: Doubtful[]): Promise<string[]> {
  const before = store.length
  await chosen(text, ...asked).run()
  return store.slice(before).map(({ name }) => name)
}

const GUPPIES = 'name,category\nGuppy,3\nGuppy,3\n'

test('what the store has is left out, and added if asked for, as often as asked', async () => {
  expect(await added(GUPPIES)).toEqual(['Guppy', 'Guppy'])
  expect(await added(GUPPIES)).toEqual([])
  expect(await added(GUPPIES, 'changed')).toEqual([])
  expect(await added(GUPPIES, 'known')).toEqual(['Guppy', 'Guppy'])
  expect(await added(`${GUPPIES}Rex,7\n`, 'known')).toEqual(['Guppy', 'Guppy', 'Rex'])
})

test('a row whose key is known is added too if it was asked for with its equals', async () => {
  const three = `${GUPPIES}Guppy,3\n`
  await added(three)
  // The second request was lost, and its animal is not there.
  const [, lost] = [...keys.keys()]
  keys.delete(lost ?? '')
  store.splice(1, 1)
  expect(chosen(three).toGo).toBe(1)
  expect(await added(three, 'known')).toEqual(['Guppy', 'Guppy', 'Guppy'])
  expect(await added(three)).toEqual([])
})

test('a row with an ID is added only if asked for, because it may be meant as a change', async () => {
  await added('name,category\nKept,5\nWrong,5\n')
  const edited = 'id,name,category\n1,Kept,5\n2,Right,5\n,Typed,5\n'
  const { doubtful, leftOut, toGo } = chosen(edited)
  expect([doubtful.known.length, doubtful.changed.length, leftOut.length, toGo]).toEqual([1, 1, 2, 1])
  expect(await added(edited)).toEqual(['Typed'])
  expect(await added(edited, 'changed')).toEqual(['Right'])
})
