import { afterEach, beforeEach, expect, test } from 'bun:test'
import { PetIndex } from './pet-index.ts'

let total = 0
let asked: string[] = []

/** A store that grew over years, as the browser meets it. */
async function fetchPage(url: string): Promise<Response> {
  asked.push(url)
  const start = Number(new URL(url).searchParams.get('cursor') ?? 0)
  const length = Math.max(0, Math.min(100, total - start))
  const pets = Array.from({ length }, (_, at) => ({
    id: start + at + 1,
    name: 'Rex',
    categoryId: 7,
    status: 'sold',
  }))
  const next = `</v1/pets?limit=100&cursor=${start + 100}>; rel="next"`
  return Response.json(pets, start + 100 < total ? { headers: { Link: next } } : {})
}

const real = { fetch: globalThis.fetch }
beforeEach(() => {
  const kept = new Map<string, string>()
  asked = []
  Object.assign(globalThis, {
    fetch: fetchPage,
    document: { baseURI: 'http://store/' },
    localStorage: {
      getItem: (name: string) => kept.get(name) ?? null,
      setItem: (name: string, text: string) => kept.set(name, text),
      removeItem: (name: string) => kept.delete(name),
    },
  })
})
afterEach(() => {
  Object.assign(globalThis, real)
  for (const name of ['document', 'localStorage']) Reflect.deleteProperty(globalThis, name)
})

async function opened(): Promise<PetIndex> {
  const index = new PetIndex('key')
  await index.refresh()
  return index
}

test('of a store with more than a tab holds, the first and the newest are known, and new ones noticed', async () => {
  total = 102_000
  const index = await opened()
  const { pets, isComplete } = index.state.value
  expect([pets.length, pets.at(-1)?.id, isComplete]).toEqual([101_000, 102_000n, false])
  total += 1
  asked = []
  await index.refresh()
  expect([asked.length, index.state.value.news.length]).toEqual([2, 1])
})

test('the way to the end is walked once: the next visit begins with the newest', async () => {
  total = 102_000
  await opened()
  asked = []
  total += 50
  const index = new PetIndex('key')
  const reading = index.refresh()
  index.state.follow(() => index.stop())
  await reading
  expect(asked[0]).toContain('cursor=101900')
})

test.each([100_000, 100_900])('a store of %d is known whole, each animal once', async count => {
  total = count
  const index = await opened()
  await index.refresh()
  const { pets, isComplete } = index.state.value
  expect([pets.length, new Set(pets.map(({ id }) => id)).size, isComplete]).toEqual([count, count, true])
})

test('a store that was replaced by a smaller one is read anew', async () => {
  total = 5000
  await opened()
  total = 300
  const { pets, isComplete } = (await opened()).state.value
  expect([pets.length, isComplete]).toEqual([300, true])
})

test('an animal of this page that an older copy of the store does not have is gone', async () => {
  total = 150
  const index = await opened()
  index.add({ id: 151n, name: 'Mia', categoryId: 7n, status: 'sold' })
  total = 151
  await index.refresh()
  total = 150
  await index.refresh()
  expect(index.state.value.pets.map(({ id }) => id).slice(-2)).toEqual([149n, 150n])
})

test('a cursor that another store has left is no place in this one: each animal is known once', async () => {
  total = 5000
  localStorage.setItem('petstore-end', '4250')
  const { pets, isComplete } = (await opened()).state.value
  expect([pets.length, new Set(pets.map(({ id }) => id)).size, isComplete]).toEqual([5000, 5000, true])
})

test('an animal of this page is shown before it is read, is never news, and does not hide the news of others', async () => {
  total = 150
  const index = await opened()
  const own = { id: 152n, name: 'Mia', categoryId: 7n, status: 'sold' } as const
  index.add(own)
  expect(index.state.value.pets.at(-1)).toEqual(own)
  total = 153
  await index.refresh()
  const { pets, news } = index.state.value
  expect([pets.length, news.map(({ id }) => id)]).toEqual([151, [151n, 153n]])
  index.showNews()
  expect(index.state.value.pets.map(({ id }) => id).slice(-3)).toEqual([151n, 152n, 153n])
})
