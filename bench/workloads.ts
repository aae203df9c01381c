import { Database } from 'bun:sqlite'

export const KEY = `bench_${crypto.randomUUID()}`

/** Each workload and the share of the floor's throughput that the service should reach. */
export const WORKLOADS = {
  list20: { title: 'list of 20', target: 0.85 },
  get: { title: 'one animal', target: 0.88 },
  create: { title: 'creation, durable', target: 0.62 },
  mixed: { title: '90 % list, 5 % get, 5 % create', target: 0.7 },
  pages: { title: '100 different pages', target: 0.75 },
  'last-page': { title: 'last page', target: undefined },
  'random-pages': { title: 'any page, not cached', target: 0.38 },
  'random-get': { title: 'any animal, not cached', target: 0.65 },
} as const

export type Workload = keyof typeof WORKLOADS

interface PlannedRequest {
  readonly method: 'GET' | 'POST'
  readonly path: string
  readonly body?: string
}

/** What a filled store offers, as paths. */
export interface Stock {
  readonly animals: readonly string[]
  readonly pages: readonly string[]
  readonly lastPage: string
}

const COLLECTION = '/v1/pets'
const LIST = `${COLLECTION}?limit=20`
const STATUSES = ['available', 'pending', 'sold']
const ANIMALS = 1000
const PAGES = 100
/** More different requests than the service caches answers for. */
const RANDOM_PAGES = 20_000
const RANDOM_ANIMALS = 200_000

export const isLarge = (workload: Workload): boolean => workload.startsWith('random')

const animal = (number: number): string =>
  JSON.stringify({ name: `Animal ${number}`, categoryId: (number % 10) + 1, status: STATUSES[number % 3] })

const read = (path: string): PlannedRequest => ({ method: 'GET', path })
const create = (number: number): PlannedRequest => ({
  method: 'POST',
  path: COLLECTION,
  body: animal(number),
})
const range = (length: number): number[] => Array.from({ length }, (_, index) => index)

export function plan(workload: Workload, { animals, pages, lastPage }: Stock): PlannedRequest[] {
  switch (workload) {
    case 'list20':
      return [read(LIST)]
    case 'get':
    case 'random-get':
      return animals.map(read)
    case 'create':
      return range(ANIMALS).map(create)
    case 'mixed':
      return range(ANIMALS * 2).map(number => {
        if (number % 20 === 7) return read(animals[number % animals.length] ?? LIST)
        return number % 20 === 17 ? create(number) : read(LIST)
      })
    case 'last-page':
      return [read(lastPage)]
    case 'pages':
    case 'random-pages':
      return pages.map(read)
  }
}

/** The requests whose answers the floor sends. For those that no cache can answer, one stands for all. */
export function captured(workload: Workload, stock: Stock): PlannedRequest[] {
  if (workload === 'random-pages') return [read(LIST)]
  const different = new Map(plan(workload, stock).map(request => [request.method + request.path, request]))
  return [...different.values()].slice(0, isLarge(workload) ? 1 : undefined)
}

const HEADERS = { Authorization: `Bearer ${KEY}`, 'Content-Type': 'application/json' }

/** Fills an empty store through the API. */
export async function seed(url: string): Promise<Stock> {
  const ids: number[] = []
  let next = 0
  const add = async () => {
    while (next < ANIMALS) {
      const answer = await fetch(url + COLLECTION, { method: 'POST', headers: HEADERS, body: animal(next++) })
      if (answer.status !== 201) throw new Error(`${url} answered ${answer.status} while being filled`)
      ids.push(((await answer.json()) as { id: number }).id)
    }
  }
  await Promise.all(range(64).map(add))
  const all = await walk(url, LIST, PAGES)
  const filtered = await Promise.all(STATUSES.map(status => walk(url, `${LIST}&status=${status}`, PAGES)))
  return {
    animals: ids.toSorted((a, b) => a - b).map(id => `${COLLECTION}/${id}`),
    pages: [...all, ...filtered.flat()].slice(0, PAGES),
    lastPage: all.at(-1) ?? LIST,
  }
}

/** Writes animals into the file of a stopped contestant: every one with SQLite has the same table. */
export function fill(path: string, animals: number): void {
  const database = new Database(path)
  database.run('PRAGMA synchronous = OFF')
  database.run(
    `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${animals})
     INSERT INTO pets (name, category_id, status)
     SELECT 'Animal ' || i, i % 10, CASE i % 3 WHEN 0 THEN 'available' WHEN 1 THEN 'pending' ELSE 'sold' END FROM n`,
  )
  database.run('PRAGMA wal_checkpoint(TRUNCATE)')
  database.close()
}

/** Random animals, and random cursors with limits from 10 to 30. */
export async function largeStock(url: string, animals: number): Promise<Stock> {
  const random = (below: number): number => Math.floor(Math.random() * below)
  const cursors = (await walk(url, `${COLLECTION}?limit=100`, 1000))
    .map(path => new URLSearchParams(path.split('?')[1]).get('cursor'))
    .filter(cursor => cursor !== null)
  const page = () => `${COLLECTION}?limit=${10 + random(21)}&cursor=${cursors[random(cursors.length)]}`
  return {
    animals: range(RANDOM_ANIMALS).map(() => `${COLLECTION}/${1 + random(animals)}`),
    pages: range(RANDOM_PAGES).map(page),
    lastPage: '',
  }
}

/** The pages from this one on, at most so many. */
async function walk(url: string, first: string, most: number): Promise<string[]> {
  const pages: string[] = []
  for (let path: string | undefined = first; path !== undefined && pages.length < most; ) {
    pages.push(path)
    const answer: Response = await fetch(url + path, { headers: HEADERS })
    await answer.arrayBuffer()
    const next: string | undefined = /<([^>]+)>;\s*rel="next"/.exec(answer.headers.get('link') ?? '')?.[1]
    path = next && new URL(next, url).pathname + new URL(next, url).search
  }
  return pages
}

/** One real answer of the service. The body is base64, to keep it byte for byte. */
export interface Answer {
  readonly method: string
  readonly path: string
  readonly status: number
  readonly headers: [string, string][]
  readonly body: string
}

/** The runtime writes these itself, for the floor and for the service. */
const RUNTIME_HEADERS = new Set(['date', 'content-length', 'connection', 'keep-alive', 'transfer-encoding'])

export async function ask(url: string, { method, path, body }: PlannedRequest): Promise<Answer> {
  const headers = { ...HEADERS, 'Accept-Encoding': 'identity' }
  const response = await fetch(url + path, { method, headers, ...(body !== undefined && { body }) })
  return {
    method,
    path,
    status: response.status,
    headers: [...response.headers].filter(([name]) => !RUNTIME_HEADERS.has(name)),
    body: Buffer.from(await response.arrayBuffer()).toString('base64'),
  }
}
