import { afterEach, beforeEach, expect, test } from 'bun:test'
import type { Pet } from '../../../client/src/index.ts'
import { type Doubtful, importFile } from './import-file.ts'
import { ImportRun } from './import-run.ts'

/** The animals of the store, and those that were added by their idempotency keys. */
let store: Pet[] = []
let keys = new Map<string, Pet>()
/** What happens to requests for the animals with these names, once each. */
let troubles = new Map<string, readonly [status: number, code: string, retryAfter?: string] | (() => void)>()

async function addPet(_url: string, { body, headers, signal }: RequestInit): Promise<Response> {
  const key = new Headers(headers).get('idempotency-key') ?? ''
  const { name, categoryId, status } = JSON.parse(String(body))
  const trouble = troubles.get(name)
  troubles.delete(name)
  if (Array.isArray(trouble)) {
    const [code, reason, retryAfter = '0'] = trouble
    const init = { status: code, headers: { 'Retry-After': retryAfter } }
    return Response.json({ code: reason, message: `Refused as ${reason}.`, status: code }, init)
  }
  const replayed = keys.get(key)
  const pet = replayed ?? { id: BigInt(store.length + 1), name, categoryId: BigInt(categoryId), status }
  if (!replayed) store.push(pet)
  keys.set(key, pet)
  if (typeof trouble === 'function') {
    trouble()
    // The animal is stored, but its response is lost.
    signal?.throwIfAborted()
  }
  const json = JSON.stringify({ ...pet, id: Number(pet.id), categoryId: Number(pet.categoryId) })
  return new Response(json, { status: 201, headers: replayed ? { 'Idempotent-Replayed': 'true' } : {} })
}

const real = { fetch: globalThis.fetch }
beforeEach(() => {
  store = []
  keys = new Map()
  troubles = new Map()
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
  return new ImportRun(file, store, 'pets_live_x', () => {})
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

const names = (count: number) => Array.from({ length: count }, (_, n) => `No. ${n + 1}`)
const fileOf = (count: number) => ['name,category', ...names(count).map(name => `${name},7`)].join('\n')

test('a pause loses nothing: what was sent is found again, counts as added, and is not added twice', async () => {
  const run = chosen(fileOf(30))
  troubles.set('No. 9', () => run.pause())
  await run.run()
  expect([run.stage, run.addedIds.size, run.unsettled]).toEqual(['paused', 8, 4])
  expect([run.done, run.toGo]).toEqual([8, 22])
  await run.run()
  expect([run.stage, run.addedIds.size, run.leftOut.length, run.unsettled]).toEqual(['done', 30, 0, 0])
  expect([run.done, run.toGo, run.addedRows.size]).toEqual([30, 0, 30])
  expect(store.map(({ name }) => name).toSorted()).toEqual(names(30).toSorted())
})

test('a row that the service refuses is told by its line, and the others are added', async () => {
  troubles.set('No. 4', [400, 'invalid_body']).set('No. 2', [400, 'invalid_body'])
  const run = chosen(`${fileOf(5)}\n,7`)
  await run.run()
  expect(run.bad.map(({ line }) => line)).toEqual([3, 5, 7])
  expect(run.bad[0]).toMatchObject({ text: 'No. 2,7', problem: 'Refused as invalid_body.' })
  expect([run.stage, run.addedIds.size, run.done, run.toGo, store.length]).toEqual(['done', 3, 5, 0, 3])
})

test('a failure that passes is waited for; one that does not stops the import, which may go on later', async () => {
  troubles.set('No. 2', [503, 'unavailable']).set('No. 3', [429, 'rate_limited'])
  troubles.set('No. 8', [401, 'invalid_api_key'])
  const run = chosen(fileOf(20))
  await run.run()
  expect([run.stage, run.failure?.code, run.bad]).toEqual(['paused', 'invalid_api_key', []])
  expect(run.done).toBeLessThan(20)
  await run.run()
  expect([run.stage, run.failure, run.waiting, run.addedIds.size]).toEqual(['done', undefined, undefined, 20])
  expect(new Set(store.map(({ name }) => name)).size).toBe(20)
})

test('an import waits as long as the service asks for, unless it is paused, and the page is not left without a question', async () => {
  const asksFirst = (): boolean => !dispatchEvent(new Event('beforeunload', { cancelable: true }))
  troubles.set('No. 1', [429, 'rate_limited', '3600'])
  const run = chosen(fileOf(1))
  const running = run.run()
  while (run.waiting === undefined) await Bun.sleep(1)
  expect([run.waiting.until > Date.now() + 3_500_000, asksFirst()]).toEqual([true, true])
  run.pause()
  await running
  expect([run.stage, asksFirst()]).toEqual(['paused', false])
})

test('of rows that were refused with the API key, none may have been added, and another key adds them all', async () => {
  for (const name of names(4)) troubles.set(name, [401, 'invalid_api_key'])
  const run = chosen(fileOf(20))
  await run.run()
  expect([run.stage, run.addedIds.size, run.unsettled, store.length]).toEqual(['paused', 0, 0, 0])
  await run.run('pets_live_y')
  expect([run.stage, run.apiKey, run.addedIds.size, store.length]).toEqual(['done', 'pets_live_y', 20, 20])
})

test('what another import has added is left out, and the row that was left out for it is added', async () => {
  const three = `${GUPPIES}Guppy,3\n`
  await added(three)
  // The service knows all three rows, but the third animal is missing in what was read of the store.
  const run = new ImportRun(chosen(three).file, store.slice(0, 2), 'key', () => {})
  expect([run.toGo, run.leftOut.length]).toEqual([1, 2])
  await run.run()
  expect([run.stage, run.addedIds.size, run.leftOut.length, store.length]).toEqual(['done', 0, 3, 3])
})

test('each animal that is added is handed on; after a second start, a pause still stops everything', async () => {
  const handed: bigint[] = []
  const run = new ImportRun(chosen(fileOf(30)).file, [], 'key', ({ id }) => void handed.push(id))
  troubles.set('No. 9', () => run.pause())
  await Promise.all([run.run(), run.run()])
  expect([run.stage, handed.length]).toEqual(['paused', 8])
})
