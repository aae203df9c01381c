import { afterEach, beforeEach, describe, expect, setSystemTime, spyOn, test } from 'bun:test'
import type { Pet } from '../../../client/src/index.ts'
import { kept } from '../../storage.ts'
import { Additions } from './additions.ts'

const HOUR_MS = 60 * 60 * 1000
const API_KEY = 'pets_live_0123456789abcdef'
const session = { apiKey: API_KEY, leave: (reason: string) => void left.push(reason) }
const other = { ...session, apiKey: 'pets_live_another' }

let left: string[] = []
/** What was sent, and what the service stored, by idempotency key. It remembers a key for a day. */
let sent: string[] = []
let store: { readonly pet: Pet; readonly key: string; readonly at: number }[] = []
/** What happens to the next requests instead of a 201: the response is lost, or is this one. */
let troubles: ('lost' | readonly [status: number, code: string])[] = []
let isFull = false
let stored = new Map<string, string>()

async function addPet(_url: string, { body, headers }: RequestInit): Promise<Response> {
  const key = new Headers(headers).get('idempotency-key') ?? ''
  const { name, categoryId, status } = JSON.parse(String(body))
  sent.push(name)
  const trouble = troubles.shift()
  if (Array.isArray(trouble)) {
    const [code, reason] = trouble
    return Response.json({ code: reason, message: `Refused as ${reason}.`, status: code }, { status: code })
  }
  const known = store.find(one => one.key === key && Date.now() - one.at < 24 * HOUR_MS)
  const pet = known?.pet ?? { id: BigInt(store.length + 1), name, categoryId: BigInt(categoryId), status }
  if (!known) store.push({ pet, key, at: Date.now() })
  if (trouble === 'lost') throw new TypeError('fetch failed')
  return Response.json({ ...pet, id: Number(pet.id), categoryId: Number(pet.categoryId) }, { status: 201 })
}

const sessionStorage = {
  getItem: (name: string) => stored.get(name) ?? null,
  removeItem: (name: string) => void stored.delete(name),
  setItem(name: string, text: string) {
    if (isFull) throw new Error('QuotaExceededError')
    stored.set(name, text)
  },
}

const real = { fetch: globalThis.fetch }
beforeEach(() => {
  ;[left, sent, store, troubles, isFull, stored] = [[], [], [], [], false, new Map()]
  Object.assign(globalThis, { fetch: addPet, document: { baseURI: 'http://store/' }, sessionStorage })
  kept.additions.set(undefined)
})
afterEach(() => {
  setSystemTime()
  Object.assign(globalThis, real)
  for (const name of ['document', 'sessionStorage']) Reflect.deleteProperty(globalThis, name)
})

/** Ends when no animal is on its way. */
async function settled(additions: Additions): Promise<void> {
  while (additions.attempts.some(({ outcome }) => outcome.kind === 'pending')) await Bun.sleep(0)
}

async function add(additions: Additions, name: string, sender = session): Promise<void> {
  additions.edit({ name, category: '7' })
  expect(additions.submit(sender, {})).toBeUndefined()
  await settled(additions)
}

async function retry(additions: Additions, sender = session): Promise<void> {
  additions.retry(additions.attempts, sender)
  await settled(additions)
}

const outcomes = ({ attempts }: Additions): string[] =>
  attempts.map(({ draft, outcome }) => `${draft.name} ${outcome.kind}`)

test('an animal is sent, shown in the list, and leaves a form that is ready for the next one', async () => {
  const shown: bigint[] = []
  const additions = new Additions()
  additions.index = { add: ({ id }) => void shown.push(id) }
  additions.edit({ name: 'Rex', category: 'dogs' })
  expect(additions.isBlank).toBe(false)
  additions.report({ name: 'Several were pasted.' })
  additions.submit(session, { 7: 'Dogs' })
  expect(additions.problems).toEqual({})
  expect([additions.draft.name, additions.draft.category, additions.isBlank]).toEqual(['', '7', true])
  additions.edit({ name: 'Typed on' })
  await settled(additions)
  expect([outcomes(additions), additions.draft.name, shown]).toEqual([['Rex added'], 'Typed on', [1n]])
  expect(additions.latest?.outcome.kind).toBe('added')
  additions.submit(session, {})
  expect(additions.latest).toBeUndefined()
  await settled(additions)
  additions.forgetNews()
  expect(additions.latest).toBeUndefined()
})

test('what is wrong is said for each field, until that field is changed, and nothing is sent', () => {
  const additions = new Additions()
  additions.edit({ name: ' ', category: '' })
  expect(additions.submit(session, {})).toBe('name')
  additions.edit({ name: 'Rex' })
  expect(Object.keys(additions.problems)).toEqual(['category'])
  expect(additions.submit(session, {})).toBe('category')
  expect([sent, outcomes(additions)]).toEqual([[], []])
  additions.suggest('Searched')
  additions.leave()
  expect([additions.draft.name, additions.problems]).toEqual(['Rex', {}])
  additions.clear()
  additions.edit({ status: 'sold' })
  additions.leave()
  expect(additions.draft.status).toBe('available')
})

test('a category that was typed without a name is a draft too, and stays when the form is left', () => {
  const additions = new Additions()
  additions.edit({ category: '12' })
  additions.leave()
  expect(additions.draft.category).toBe('12')
})

describe('after a lost response', () => {
  test('an animal is tried again with its key and added once, also by a second click', async () => {
    troubles = ['lost']
    const additions = new Additions()
    await add(additions, 'Rex')
    expect(outcomes(additions)).toEqual(['Rex unknown'])
    const shown = additions.attempts
    additions.retry(shown, session)
    additions.retry(shown, session)
    await settled(additions)
    expect([outcomes(additions), sent.length, store.length]).toEqual([['Rex added'], 2, 1])
  })

  test('a refused retry says nothing about the first request, and does not make it younger', async () => {
    const first = Date.now()
    troubles = ['lost', [429, 'rate_limited'], 'lost']
    const additions = new Additions()
    await add(additions, 'Rex')
    setSystemTime(first + 22 * HOUR_MS)
    await retry(additions)
    await retry(additions)
    expect([outcomes(additions), sent.length]).toEqual([['Rex unknown'], 3])
    // The service has forgotten its key, so it would be added once more.
    setSystemTime(first + 25 * HOUR_MS)
    await retry(additions)
    expect([sent.length, store.length]).toEqual([3, 1])
  })

  test('nothing is tried again with another API key', async () => {
    troubles = ['lost']
    const additions = new Additions()
    await add(additions, 'Rex')
    await retry(additions, other)
    expect(sent).toEqual(['Rex'])
  })
})

test('a refused animal may be tried again with any key, and then counts from there', async () => {
  const first = Date.now()
  troubles = [[401, 'invalid_api_key'], 'lost']
  const additions = new Additions()
  await add(additions, 'Rex')
  expect([outcomes(additions), left]).toEqual([['Rex refused'], ['Refused as invalid_api_key.']])
  setSystemTime(first + 30 * HOUR_MS)
  await retry(additions, other)
  setSystemTime(first + 31 * HOUR_MS)
  await retry(additions, other)
  expect([outcomes(additions), sent.length, store.length]).toEqual([['Rex added'], 3, 1])
  expect(left).toHaveLength(1)
})

test('a wrong animal is corrected in an empty form only, which then has no problem, and a dismissed one is gone', async () => {
  troubles = [
    [413, 'body_too_large'],
    [413, 'body_too_large'],
  ]
  const additions = new Additions()
  await add(additions, 'Large')
  await add(additions, 'Larger')
  additions.edit({ name: 'Half' })
  for (const attempt of additions.attempts) additions.correct(attempt)
  expect([additions.draft.name, outcomes(additions).length]).toEqual(['Half', 2])
  additions.clear()
  additions.submit(session, {})
  for (const attempt of additions.attempts.slice(0, 1)) additions.correct(attempt)
  expect([additions.draft.name, outcomes(additions)]).toEqual(['Large', ['Larger refused']])
  expect(additions.problems).toEqual({})
  for (const attempt of additions.attempts) additions.dismiss(attempt)
  expect(outcomes(new Additions())).toEqual([])
})

describe('in this tab', () => {
  test('a reload keeps the draft and what is not added; what was on its way may have been added', async () => {
    troubles = [[429, 'rate_limited']]
    const additions = new Additions()
    await add(additions, 'Limited')
    await add(additions, 'Added')
    additions.edit({ name: 'On its way' })
    additions.submit(session, {})
    additions.edit({ name: 'Half' })
    const reloaded = new Additions()
    expect(outcomes(reloaded)).toEqual(['Limited refused', 'On its way unknown'])
    expect([reloaded.draft.name, reloaded.lastCategory, reloaded.added]).toEqual(['Half', '7', []])
    await settled(additions)
    await retry(reloaded)
    expect(store.map(({ pet }) => pet.name)).toEqual(['Added', 'On its way', 'Limited'])
  })

  test('signing out forgets what was typed and added, and keeps what has no outcome', async () => {
    troubles = ['lost']
    const additions = new Additions()
    await add(additions, 'Lost')
    await add(additions, 'Added')
    additions.edit({ name: 'Half' })
    additions.report({ category: 'Enter a category number.' })
    additions.signOut()
    expect(additions.problems).toEqual({})
    for (const one of [additions, new Additions()]) {
      expect(outcomes(one)).toEqual(['Lost unknown'])
      expect([one.draft.name, one.draft.category, one.latest]).toEqual(['', '', undefined])
    }
  })

  test('no API key is kept with the additions or written to the console of the browser', async () => {
    const logs = (['log', 'info', 'warn', 'error', 'debug'] as const).map(level => spyOn(console, level))
    troubles = ['lost', [401, 'invalid_api_key']]
    const additions = new Additions()
    await add(additions, 'Lost')
    await add(additions, 'Refused')
    expect(JSON.stringify([...stored])).not.toContain(API_KEY)
    expect(logs.flatMap(({ mock }) => mock.calls)).toEqual([])
    for (const log of logs) log.mockRestore()
  })

  test('a full storage does not bring back an animal that was sent', async () => {
    const additions = new Additions()
    additions.edit({ name: 'Sent', category: '7' })
    isFull = true
    additions.submit(session, {})
    await settled(additions)
    expect([...stored]).toEqual([])
  })

  test.each(['[7]', 'null', '{', '{"attempts":[]}'])('%j from elsewhere is an empty form', text => {
    stored.set('petstore-additions', text)
    expect([new Additions().isBlank, outcomes(new Additions())]).toEqual([true, []])
  })
})
