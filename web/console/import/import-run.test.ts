import { afterEach, beforeEach, expect, setSystemTime, test } from 'bun:test'
import fc from 'fast-check'
import type { Pet } from '../../../client/src/index.ts'
import { PetIndex } from '../pets/pet-index.ts'
import { type Doubtful, importFile } from './import-file.ts'
import { ImportRun, waitAfter } from './import-run.ts'

/** The animals of the store, and those that were added by their idempotency keys. */
let store: Pet[] = []
let keys = new Map<string, Pet>()
let lastId = 0n
/** The animals that were handed on to the list. */
let handed: bigint[] = []
/** What happens to requests for the animals with these names, once each. */
let troubles = new Map<string, readonly [status: number, code: string, retryAfter?: string] | (() => void)>()
/** What happens to the next responses. A browser itself asks again if a kept connection closes. */
let responses: ('arrives' | 'is asked for again' | 'is lost')[] = []

async function addPet(url: string, init: RequestInit): Promise<Response> {
  const { method, body, headers, signal } = init
  if (method === 'GET') return Response.json([])
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
  const pet = replayed ?? { id: ++lastId, name, categoryId: BigInt(categoryId), status }
  if (!replayed) store.push(pet)
  keys.set(key, pet)
  if (typeof trouble === 'function') {
    trouble()
    // The animal is stored, but its response is lost.
    signal?.throwIfAborted()
  }
  const fate = responses.shift()
  if (fate === 'is asked for again') return addPet(url, init)
  if (fate === 'is lost') throw new TypeError('fetch failed')
  const json = JSON.stringify({ ...pet, id: Number(pet.id), categoryId: Number(pet.categoryId) })
  return new Response(json, { status: 201, headers: replayed ? { 'Idempotent-Replayed': 'true' } : {} })
}

const real = { fetch: globalThis.fetch }
const clear = (): void => {
  ;[store, keys, lastId, troubles, responses, handed] = [[], new Map(), 0n, new Map(), [], []]
}
beforeEach(() => {
  clear()
  Object.assign(globalThis, { fetch: addPet, document: { baseURI: 'http://store/' } })
})
afterEach(() => {
  setSystemTime()
  Object.assign(globalThis, real)
  Reflect.deleteProperty(globalThis, 'document')
})

function chosen(text: string, ...asked: Doubtful[]): ImportRun {
  const bytes = new TextEncoder().encode(text)
  const file = importFile(
    { bytes, name: 'a.csv', chosenAt: 0, answers: new Map(), asked: new Set(asked) },
    {},
  )
  const own = ({ id }: Pet) => void handed.push(id)
  const index = Object.assign(new PetIndex('pets_live_x'), { pets: [...store], own })
  return new ImportRun(file, index, 'pets_live_x')
}

async function added(text: string, ...asked: Doubtful[]): Promise<string[]> {
  const before = store.length
  await chosen(text, ...asked).run()
  return store
    .slice(before)
    .map(({ name }) => name)
    .toSorted()
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

const rows = fc.array(fc.constantFrom('Guppy,3', 'Rex,3', 'Mia,3'), { maxLength: 12 })
const fates = fc.array(fc.constantFrom('arrives', 'is asked for again', 'is lost'), { maxLength: 30 })
const countIn = (all: readonly Pet[], row: string) =>
  all.filter(({ name, categoryId }) => `${name},${categoryId}` === row).length

/** Some rows of the earlier import were not stored, so that the service knows keys of others than the comparison expects. */
const anyImport = fc.asyncProperty(
  rows,
  fc.array(fc.nat(11)),
  rows,
  fates,
  fc.boolean(),
  async (earlier, lost, now, fate, isAsked) => {
    await added(['name,category', ...earlier].join('\n'))
    const isStored = (pet: Pet) => !lost.includes(Number(pet.id) - 1)
    keys = new Map([...keys].filter(([, pet]) => isStored(pet)))
    store = store.filter(isStored)
    const before = store
    store = [...before]
    responses = [...fate]
    const run = chosen(['name,category', ...now].join('\n'), ...(isAsked ? ['known' as const] : []))
    const unfollow = run.state.follow(() => dispatchEvent(new Event('online')))
    await run.run()
    unfollow()
    const gained = store.slice(before.length).map(({ id }) => id)
    expect([run.stage, new Set(run.added.keys())]).toEqual(['done', new Set(gained)])
    for (const row of now) {
      const [had, more] = [countIn(before, row), now.filter(one => one === row).length]
      expect(countIn(store, row)).toBe(isAsked ? had + more : Math.max(had, more))
    }
  },
)

test('what is told, the identifiers and what the store gained are one number, whichever responses are lost', () =>
  fc.assert(anyImport.beforeEach(clear)))

const names = (count: number) => Array.from({ length: count }, (_, n) => `No. ${n + 1}`)
const fileOf = (count: number) => ['name,category', ...names(count).map(name => `${name},7`)].join('\n')

test('a pause loses nothing: what was sent is found again, counts as added, and is not added twice', async () => {
  const run = chosen(fileOf(30))
  troubles.set('No. 9', () => run.pause())
  await run.run()
  expect([run.stage, run.added.size, run.unsettled, run.done, run.toGo]).toEqual(['paused', 8, 4, 8, 22])
  await run.run()
  const { stage, leftOut, unsettled, done, toGo } = run
  expect([stage, run.added.size, leftOut.length, unsettled, done, toGo]).toEqual(['done', 30, 0, 0, 30, 0])
  expect(store.map(({ name }) => name).toSorted()).toEqual(names(30).toSorted())
})

test('a row that the service refuses is told by its line, and the others are added', async () => {
  troubles.set('No. 4', [400, 'invalid_body']).set('No. 2', [400, 'invalid_body'])
  const run = chosen(`${fileOf(5)}\n,7`)
  await run.run()
  expect(run.bad.map(({ line }) => line)).toEqual([3, 5, 7])
  expect(run.bad[0]).toMatchObject({ text: 'No. 2,7', problem: 'Refused as invalid_body.' })
  expect([run.stage, run.added.size, run.done, run.toGo, store.length]).toEqual(['done', 3, 5, 0, 3])
})

test('a failure that passes is waited for; one that does not stops the import, which may go on later', async () => {
  troubles.set('No. 2', [503, 'unavailable']).set('No. 3', [429, 'rate_limited'])
  troubles.set('No. 8', [401, 'invalid_api_key'])
  const run = chosen(fileOf(20))
  await run.run()
  expect([run.stage, run.failure?.code, run.bad]).toEqual(['paused', 'invalid_api_key', []])
  expect(run.done).toBeLessThan(20)
  await run.run()
  expect([run.stage, run.failure, run.waiting, run.added.size]).toEqual(['done', undefined, undefined, 20])
  expect(new Set(store.map(({ name }) => name)).size).toBe(20)
})

test.each(['paused', 'done'])(
  'an import waits as long as the service asks for, unless it is paused or the browser is online again: %s',
  async stage => {
    troubles.set('No. 1', [429, 'rate_limited', '3600'])
    const run = chosen(fileOf(1))
    const running = run.run()
    while (run.waiting === undefined && run.stage === 'running') await Bun.sleep(1)
    expect(run.waiting?.until).toBeGreaterThan(Date.now() + 3_500_000)
    troubles.clear()
    if (stage === 'paused') run.pause()
    else dispatchEvent(new Event('online'))
    await running
    expect([run.stage, run.unsettled]).toEqual([stage, 0])
  },
)

test.each([
  [undefined, [250, 500, 1000, 2000, 4000, 8000, 15_000, 15_000]],
  [0, [250, 500, 1000, 2000, 4000, 8000, 15_000, 15_000]],
  [3000, [3000, 3000, 3000, 3000, 4000, 8000, 15_000, 15_000]],
  [60_000, Array<number>(8).fill(60_000)],
])('if the service asks for %p ms, waits grow and none is shorter', (retryAfterMs, waits) =>
  expect(waits.map((_, failures) => waitAfter(failures, { retryAfterMs }))).toEqual(waits),
)

test('waits begin again after an animal was added', async () => {
  const lost = Array<'is lost'>(12).fill('is lost')
  responses = [...lost, 'arrives', 'arrives', 'arrives', 'arrives', ...lost]
  setSystemTime(new Date())
  const run = chosen(fileOf(8))
  const waits = new Map<unknown, number>()
  run.state.follow(() => {
    if (run.waiting) waits.set(run.waiting, run.waiting.until - Date.now())
  })
  // None may be left for the next test, whose wait it would end.
  const online = setInterval(() => dispatchEvent(new Event('online')), 5)
  await run.run()
  clearInterval(online)
  expect(run.added.size).toBe(8)
  expect([...waits.values()]).toEqual([1000, 1000])
})

test('of rows that were refused with the API key, none may have been added', async () => {
  for (const name of names(4)) troubles.set(name, [401, 'invalid_api_key'])
  const run = chosen(fileOf(20))
  await run.run()
  expect([run.stage, run.added.size, run.unsettled, store.length]).toEqual(['paused', 0, 0, 0])
})

test.each([
  ['the service may have forgotten its key', () => setSystemTime(Date.now() + 23 * 60 * 60 * 1000)],
  ['its row is refused now', () => troubles.set('No. 1', [400, 'invalid_body'])],
])('what may have been added is not sent again, and stays open, when %s', async (_, change) => {
  const run = chosen(fileOf(1))
  troubles.set('No. 1', () => run.pause())
  await run.run()
  change()
  await run.run()
  expect([run.stage, run.bad, run.unsettled]).toEqual(['paused', [], 1])
})

test('each animal that is added is handed on; after a second start, a pause still stops everything', async () => {
  const run = chosen(fileOf(30))
  troubles.set('No. 9', () => run.pause())
  await Promise.all([run.run(), run.run()])
  expect([run.stage, handed.length]).toEqual(['paused', 8])
})
