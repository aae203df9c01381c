import { Database } from 'bun:sqlite'
import { query } from '../tests/support/postgres.ts'

export const KEY = `bench_${crypto.randomUUID()}`

export interface Call {
  readonly method: 'GET' | 'POST'
  readonly path: string
  readonly body?: string
}

/** A filled store, served at a URL. */
interface Stock {
  readonly url: string
  readonly animals: number
  /** Of places all over the store; only kept stores have them. */
  readonly cursors: readonly string[]
}

interface WorkloadEntry {
  readonly title: string
  /** The share of the floor's throughput that the service should reach. */
  readonly target?: number
  readonly contestants: readonly string[]
  /** The animals in everyone's store, then other numbers for the service alone, to see what growth costs. */
  readonly sizes?: readonly number[]
  /** The store is made once and used in every round. */
  readonly isKept?: true
  /** How much longer each sync of the disk takes. */
  readonly syncDelayMs?: number
  plan(stock: Stock): Call[] | Promise<Call[]>
}

const COLLECTION = '/v1/pets'
const LIST = `${COLLECTION}?limit=20`
const STATUSES = ['available', 'pending', 'sold']
export const FEW = 1000
const MILLION = 1_000_000
const PAGES = 100
/** More different requests than the service caches answers for. */
const RANDOM_PAGES = 20_000
const RANDOM_ANIMALS = 100_000
const LEAST_UNCACHED_ANIMALS = 20_000
const CURSORS = 5000

const BASIC = ['floor', 'service', 'hono', 'fastify', 'go']

const range = (length: number): number[] => Array.from({ length }, (_, index) => index)
const read = (path: string): Call => ({ method: 'GET', path })
const readOne = (id: number): Call => read(`${COLLECTION}/${id}`)
const create = (number: number): Call => ({
  method: 'POST',
  path: COLLECTION,
  body: JSON.stringify({ name: `Animal ${number}`, categoryId: number % 10, status: STATUSES[number % 3] }),
})

const ENTRIES = {
  list20: {
    title: 'list of 20',
    target: 0.85,
    contestants: [...BASIC, 'postgres', 'four'],
    sizes: [FEW, MILLION, 10 * MILLION],
    plan: () => [read(LIST)],
  },
  get: {
    title: 'one animal',
    target: 0.88,
    contestants: [...BASIC, 'four'],
    plan: () => range(FEW).map(number => readOne(number + 1)),
  },
  create: {
    title: 'create',
    target: 0.62,
    contestants: [...BASIC, 'four'],
    sizes: [FEW, MILLION, 10 * MILLION],
    plan: () => range(FEW).map(create),
  },
  'slow-disk': {
    title: 'create, slow disk',
    contestants: [...BASIC.slice(1), 'four'],
    syncDelayMs: 5,
    plan: () => range(FEW).map(create),
  },
  mixed: {
    title: '90% list, 5% get, 5% create',
    target: 0.7,
    contestants: BASIC,
    plan: () =>
      range(2 * FEW).map(number => {
        if (number % 20 === 7) return readOne((number % FEW) + 1)
        return number % 20 === 17 ? create(number) : read(LIST)
      }),
  },
  pages: {
    title: '100 different pages',
    target: 0.75,
    contestants: BASIC,
    plan: async ({ url }) => {
      const lists = [LIST, ...STATUSES.map(status => `${LIST}&status=${status}`)]
      const pages = await Promise.all(lists.map(first => walk(url, first, PAGES)))
      return pages.flat().slice(0, PAGES).map(read)
    },
  },
  'last-page': {
    title: 'last page',
    contestants: ['floor', 'service', 'postgres'],
    plan: async ({ url }) => (await walk(url, LIST, FEW)).slice(-1).map(read),
  },
  'random-pages': {
    title: 'page, not cached',
    target: 0.38,
    contestants: [...BASIC, 'four'],
    sizes: [MILLION, FEW, 10 * MILLION],
    isKept: true,
    plan: ({ cursors }) => {
      const limits = range(21).map(number => number + 10)
      const pages = cursors.flatMap(cursor =>
        limits.map(limit => `${COLLECTION}?limit=${limit}&cursor=${cursor}`),
      )
      return shuffled(pages).slice(0, RANDOM_PAGES).map(read)
    },
  },
  'random-get': {
    title: 'animal, not cached',
    target: 0.65,
    contestants: BASIC,
    sizes: [MILLION, LEAST_UNCACHED_ANIMALS, 10 * MILLION],
    isKept: true,
    plan: ({ animals }) => {
      const count = Math.min(RANDOM_ANIMALS, animals)
      const ids = range(count).map(number => 1 + Math.floor((number * animals) / count))
      return shuffled(ids).map(readOne)
    },
  },
} satisfies Record<string, WorkloadEntry>

export type Workload = keyof typeof ENTRIES
export const WORKLOADS: Readonly<Record<Workload, WorkloadEntry>> = ENTRIES

/** The requests whose answers the floor sends. For those that no cache can answer, one of middle size stands for all. */
export function captured(workload: Workload, requests: readonly Call[]): Call[] {
  if (workload === 'random-pages') return [read(LIST)]
  const different = new Map(requests.map(request => [request.method + request.path, request]))
  return [...different.values()].slice(0, workload === 'random-get' ? 1 : undefined)
}

function shuffled<Item>(items: readonly Item[]): Item[] {
  const keyed = items.map(item => ({ item, key: Math.random() }))
  return keyed.toSorted((a, b) => a.key - b.key).map(({ item }) => item)
}

/**
 * Replaces the animals of a store by those with the ids step, 2 × step, … up to `highest`. The statement is the same for all,
 * since every contestant has the same table.
 */
export async function fill(databaseUrl: string, highest: number, step = 1): Promise<void> {
  const insert = `WITH RECURSIVE n(i) AS (SELECT ${step} UNION ALL SELECT i + ${step} FROM n WHERE i + ${step} <= ${highest})
    INSERT INTO pets (id, name, category_id, status)
    SELECT i, 'Animal ' || i, i % 10, CASE i % 3 WHEN 0 THEN 'available' WHEN 1 THEN 'pending' ELSE 'sold' END FROM n`
  if (databaseUrl.startsWith('postgres:'))
    return void (await query(databaseUrl, `DELETE FROM pets; ${insert}`))
  using database = new Database(databaseUrl.slice('sqlite:'.length))
  database.run('PRAGMA synchronous = OFF')
  database.run('DELETE FROM pets')
  database.run(insert)
  database.run('PRAGMA wal_checkpoint(TRUNCATE)')
}

/**
 * Cursors of places all over a store of so many animals. Cursors are opaque, so they are collected while only some of the
 * animals are there: a cursor names a place between ids, and is as good once the others have been added.
 */
export async function cursorsOver(url: string, databaseUrl: string, animals: number): Promise<string[]> {
  await fill(databaseUrl, animals, Math.ceil(animals / CURSORS))
  const pages = await walk(url, `${COLLECTION}?limit=1`, CURSORS)
  return pages.flatMap(path => new URLSearchParams(path.split('?')[1]).get('cursor') ?? [])
}

/** The pages from this one on, at most so many. */
async function walk(url: string, first: string, most: number): Promise<string[]> {
  const pages: string[] = []
  for (let path: string | undefined = first; path !== undefined && pages.length < most; ) {
    pages.push(path)
    const answer: Response = await fetch(url + path, { headers: { Authorization: `Bearer ${KEY}` } })
    await answer.arrayBuffer()
    const next: string | undefined = /<([^>]+)>;\s*rel="next"/.exec(answer.headers.get('link') ?? '')?.[1]
    path = next && new URL(next, url).pathname + new URL(next, url).search
  }
  return pages
}
