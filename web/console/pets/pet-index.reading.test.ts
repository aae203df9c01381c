import { afterEach, beforeEach, expect, setSystemTime, test } from 'bun:test'
import { MANY, PetIndex } from './pet-index.ts'

let total = 0
let firstId = 1
let asked: string[] = []
/** What happens when a page is asked for. */
let onAsked: (url: string) => unknown = () => {}
let limits: string[] = []

/** A store in which all animals are sold. */
async function fetchPage(url: string): Promise<Response> {
  asked.push(url)
  onAsked(url)
  const start = Number(new URL(url).searchParams.get('cursor') ?? 0)
  const pets = Array.from({ length: Math.min(100, total - start) }, (_, at) => {
    return { id: firstId + start + at, name: 'Rex', categoryId: 7, status: 'sold' }
  })
  const limit = limits.shift()
  const next = `</v1/pets?limit=100&cursor=${start + 100}>; rel="next"`
  const headers = { ...(start + 100 < total && { Link: next }), ...(limit && { RateLimit: limit }) }
  return Response.json(pets, { headers })
}

const { fetch } = globalThis
beforeEach(() => {
  firstId = 1
  asked = []
  onAsked = () => {}
  limits = []
  Object.assign(globalThis, { fetch: fetchPage, document: { baseURI: 'http://store/' } })
})
afterEach(() => {
  setSystemTime()
  Object.assign(globalThis, { fetch })
  Reflect.deleteProperty(globalThis, 'document')
})

const askedFor = (status: string): number => asked.filter(url => url.includes(`status=${status}`)).length

test.each<[string, (index: PetIndex) => void, boolean]>([
  ['another status was chosen', index => index.readFirst('pending'), true],
  ['no status is chosen any more', index => index.readFirst(undefined), true],
  ['reading was stopped', index => index.stop(), false],
])('reading one status ends once %s', async (_, leave, goesOn) => {
  total = MANY + 100
  const index = new PetIndex('key')
  index.readFirst('sold')
  onAsked = url => url.includes('status=sold') && leave(index)
  await index.refresh()
  expect([askedFor('sold'), index.isComplete, index.failure]).toEqual([1, goesOn, undefined])
})

test('a status that is chosen again is not read from its beginning', async () => {
  total = MANY + 100
  const index = new PetIndex('key')
  index.readFirst('sold')
  onAsked = () => index.readFirst('sold')
  await index.refresh()
  expect(askedFor('sold')).toBe(total / 100)
})

test('the list is as recent as the request for its last page', async () => {
  total = 250
  const began = Date.now()
  setSystemTime(began)
  onAsked = () => setSystemTime(Date.now() + 1000)
  const index = new PetIndex('key')
  await index.refresh()
  expect(index.readAt).toBe(began + 2000)
})

test('a different store that replaces the first is shown even if it has as many animals, and until then nothing of the first is', async () => {
  total = 150
  const index = new PetIndex('key')
  await index.refresh()
  total = 151
  await index.refresh()
  expect(index.news.length).toBe(1)
  firstId = 1001
  total = 150
  const meanwhile: number[] = []
  onAsked = () => !index.isComplete && meanwhile.push(index.pets.length, index.news.length)
  await index.refresh()
  expect(new Set(meanwhile)).toEqual(new Set([0]))
  expect([index.pets.length, index.pets[0]?.id, index.news]).toEqual([150, 1001n, []])
})

test('animals added in this tab are sorted by ID, in whatever order the responses arrive', async () => {
  total = 1
  const index = new PetIndex('key')
  await index.refresh()
  for (const id of [4n, 2n, 3n]) index.add({ id, name: 'Mia', categoryId: 7n, status: 'sold' })
  expect(index.pets.map(({ id }) => id)).toEqual([1n, 2n, 3n, 4n])
})

test('reading does not wait for the rate limit while more than the share for other requests is left', async () => {
  total = 300
  limits = ['"default";r=40;t=0', '"default";r=10;t=0']
  const index = new PetIndex('key')
  await index.refresh()
  expect([index.isComplete, index.isLimited]).toEqual([true, false])
})
