import { afterEach, beforeEach, describe, expect, setSystemTime, spyOn, test } from 'bun:test'
import type { PetStatus } from '../../../client/src/index.ts'
import { MANY, PetIndex } from './pet-index.ts'

let total = 0
let asked: string[] = []
/** What the service responds to the next requests instead. */
let refusals: (Response | undefined)[] = []
let limit: string | undefined

/** A store that grew over years, as the browser meets it. Every fourth animal is sold. */
async function fetchPage(url: string): Promise<Response> {
  asked.push(url)
  const refusal = refusals.shift()
  if (refusal) return refusal
  const query = new URL(url).searchParams
  const start = Number(query.get('cursor') ?? 0)
  const isPart = query.get('status') === 'sold'
  const count = isPart ? Math.floor(total / 4) : total
  const length = Math.max(0, Math.min(100, count - start))
  const pets = Array.from({ length }, (_, at) => {
    const id = (start + at + 1) * (isPart ? 4 : 1)
    return { id, name: 'Rex', categoryId: 7, status: id % 4 === 0 ? 'sold' : 'available' }
  })
  const next = `</v1/pets?limit=100&cursor=${start + 100}>; rel="next"`
  const headers = { ...(start + 100 < count && { Link: next }), ...(limit && { RateLimit: limit }) }
  return Response.json(pets, { headers })
}

const refusal = (status: number, code: string, headers: Record<string, string> = { 'Retry-After': '0' }) =>
  Response.json({ code, message: 'Later.', status }, { status, headers })

const { fetch } = globalThis
beforeEach(() => {
  asked = []
  refusals = []
  limit = undefined
  Object.assign(globalThis, { fetch: fetchPage, document: { baseURI: 'http://proxy/store/' } })
})
afterEach(() => {
  Object.assign(globalThis, { fetch })
  Reflect.deleteProperty(globalThis, 'document')
})

/** How many were read and how many are shown, each time that the page is rendered. */
function recorded(index: PetIndex): [number, number][] {
  const seen: [number, number][] = []
  index.state.follow(() => seen.push([index.count, index.pets.length]))
  return seen
}

async function opened(): Promise<PetIndex> {
  const index = new PetIndex('key')
  await index.refresh()
  return index
}

test.each([0, 100, 250, 103_000])(
  'a store of %d is shown once it is known whole, each animal once',
  async count => {
    total = count
    const index = new PetIndex('key')
    const seen = recorded(index)
    await index.refresh()
    expect(new Set(seen.map(([, shown]) => shown))).toEqual(new Set([0, count]))
    expect(seen.filter(([read, shown]) => shown > 0 && read < count)).toEqual([])
    expect(new Set(index.pets.map(({ id }) => id)).size).toBe(count)
    expect(index.isComplete).toBe(true)
  },
)

test('new animals are noticed by one request for the last page', async () => {
  total = 102_000
  const index = await opened()
  const { pets } = index
  await index.refresh()
  // The same array, so that nothing is sorted and counted again.
  expect(index.pets).toBe(pets)
  total += 1
  asked = []
  await index.refresh()
  expect([asked.length, index.news.length, index.pets.length]).toEqual([2, 1, 102_000])
})

test('a refresh that is asked for while the store is read follows, unless reading was stopped', async () => {
  total = 0
  const index = new PetIndex('key')
  await Promise.all([index.refresh(), index.refresh()])
  expect(asked).toEqual(Array(2).fill('http://proxy/store/v1/pets?limit=100'))
  const reading = Promise.all([index.refresh(), index.refresh()])
  index.stop()
  await reading
  expect(asked.length).toBeLessThan(4)
})

test('the store is known as it was when its last page was asked for, not when that arrived', async () => {
  total = 50
  const askedAt = Date.now()
  setSystemTime(askedAt)
  const index = new PetIndex('key')
  const reading = index.refresh()
  setSystemTime(askedAt + 5000)
  await reading
  setSystemTime()
  expect(index.readAt).toBe(askedAt)
})

test('a failed read shows nothing, and the next one continues where it stopped', async () => {
  total = 250
  const index = new PetIndex('key')
  refusals = [undefined, refusal(503, 'unavailable')]
  await index.refresh()
  expect([index.count, index.pets.length, index.news.length, index.isComplete]).toEqual([100, 0, 0, false])
  expect(index.failure?.code).toBe('unavailable')
  asked = []
  index.add({ id: 251n, name: 'Mia', categoryId: 7n, status: 'sold' })
  while (index.isReading) await Bun.sleep(1)
  expect(asked.map(url => new URL(url).searchParams.get('cursor'))).toEqual(['100', '200'])
  expect([index.pets.length, index.failure]).toEqual([251, undefined])
})

test.each<[Record<string, string>, number]>([
  [{ 'Retry-After': '3600' }, 3_600_000],
  [{}, 5000],
])('after a 429 with %p, nothing is asked for %d ms', async (headers, ms) => {
  total = 1
  refusals = [refusal(429, 'rate_limited', headers)]
  const timeout = spyOn(AbortSignal, 'timeout')
  const index = new PetIndex('key')
  const reading = index.refresh()
  while (!index.isLimited) await Bun.sleep(1)
  expect(timeout).toHaveBeenLastCalledWith(ms)
  timeout.mockRestore()
  index.stop()
  await reading
  expect([asked.length, index.isComplete]).toEqual([1, false])
})

test('a rate limit is waited for, said, and is no failure; a share of it is left for other requests', async () => {
  total = 250
  limit = '"default";r=40;t=0'
  refusals = [refusal(429, 'rate_limited')]
  const index = await opened()
  expect([index.pets.length, index.isLimited, index.failure, asked.length]).toEqual([250, true, undefined, 4])
  limit = '"default";r=9;t=3600'
  total = 450
  const reading = index.refresh()
  while (index.count < 300) await Bun.sleep(1)
  index.stop()
  await reading
  expect([index.count, index.failure]).toEqual([300, undefined])
})

describe('of a large store', () => {
  const opening = (status: PetStatus) => {
    const index = new PetIndex('key')
    index.readFirst(status)
    return index
  }

  test('the animals of a chosen status are read first and listed whole, then the others', async () => {
    total = 4 * MANY
    const index = opening('sold')
    const listed = new Map<number, number>()
    index.state.follow(() => void listed.set(index.listed('sold').pets.length, asked.length))
    await index.refresh()
    // From the moment when it is known that there are many.
    const pages = MANY / 100
    expect([...listed.keys()]).toEqual([0, MANY, 4 * MANY])
    const isPart = asked.map(url => url.includes('status='))
    expect([isPart.indexOf(true), isPart.lastIndexOf(true)]).toEqual([pages, 2 * pages - 1])
    expect([index.part, index.listed('sold')]).toEqual([undefined, index])
    index.readFirst('pending')
    expect(index.part).toBeUndefined()
  })

  test('and not of a smaller one, nothing is read twice', async () => {
    total = MANY - 1
    await opening('sold').refresh()
    expect(asked.join()).not.toContain('status=')
  })

  test('another status, or none, takes the place of the first', async () => {
    total = 2 * MANY
    const index = opening('available')
    index.readFirst('sold')
    const forget = index.state.follow(() => {
      if (index.part?.isComplete !== true) return
      expect([index.listed('available').isComplete, index.offersStatus]).toEqual([false, false])
      index.readFirst(undefined)
      expect([index.listed('sold').isComplete, index.offersStatus]).toEqual([false, true])
      forget()
    })
    await index.refresh()
    expect([index.pets.length, asked.filter(url => url.includes('status=available'))]).toEqual([total, []])
  })

  test('an animal that this page adds is listed with its status, and only there', async () => {
    total = 2 * MANY
    const index = opening('sold')
    const lists: number[] = []
    const forget = index.state.follow(() => {
      if (!index.part?.isComplete) return
      forget()
      index.add({ id: 999_999n, name: 'Mia', categoryId: 7n, status: 'sold' })
      index.add({ id: 999_998n, name: 'Bo', categoryId: 7n, status: 'available' })
      lists.push(index.listed('sold').pets.length, index.listed('available').pets.length)
    })
    await index.refresh()
    expect(lists).toEqual([MANY / 2 + 1, 0])
  })

  test('a failure while they are read is a failure, and reading goes on from there', async () => {
    total = 2 * MANY
    refusals = [...Array<undefined>(MANY / 100 + 1), refusal(503, 'unavailable')]
    const index = opening('sold')
    await index.refresh()
    expect([index.failure?.code, index.part?.count, index.isComplete]).toEqual(['unavailable', 100, false])
    await index.refresh()
    expect([index.failure, index.pets.length]).toEqual([undefined, total])
    expect(asked.filter(url => url.includes('status=')).length).toBe(MANY / 2 / 100 + 1)
  })
})

test('an animal of this page that an older copy of the store does not have is gone', async () => {
  total = 150
  const index = await opened()
  index.add({ id: 151n, name: 'Mia', categoryId: 7n, status: 'sold' })
  for (total of [151, 150]) await index.refresh()
  expect(index.pets.map(({ id }) => id)).toEqual(Array.from({ length: 150 }, (_, at) => BigInt(at + 1)))
})

test('an animal of this page is shown before it is read, is never news, and does not hide the news of others', async () => {
  total = 150
  const index = await opened()
  const own = { id: 152n, name: 'Mia', categoryId: 7n, status: 'sold' } as const
  index.add(own)
  expect(index.pets.at(-1)).toEqual(own)
  total = 153
  await index.refresh()
  expect([index.pets.length, index.news.map(({ id }) => id)]).toEqual([151, [151n, 153n]])
  // An import has found that it is this page's.
  index.own({ ...own, id: 151n })
  expect(index.news.map(({ id }) => id)).toEqual([153n])
  index.showNews()
  expect(index.pets.map(({ id }) => id).slice(-3)).toEqual([151n, 152n, 153n])
  // A retry has found that it is this page's.
  index.add({ ...own, id: 153n })
  expect(index.pets.map(({ id }) => id).slice(-2)).toEqual([152n, 153n])
})
