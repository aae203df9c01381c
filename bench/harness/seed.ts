import type { Contestant } from './contestant.ts'
import type { Running } from './start.ts'
import { animal, type Stock } from './workloads.ts'

const ANIMALS = 1000
const CONCURRENCY = 64
const PAGES = 100
const PAGE_SIZE = 20

/** Fills a fresh store through the API and returns the paths that it now serves. */
export async function seed(contestant: Contestant, running: Running): Promise<Stock> {
  if (contestant.fixedStock) return contestant.fixedStock
  const ids = await createAnimals(contestant, running)
  const list = contestant.firstPage(PAGE_SIZE)
  const pages = await collectPages(contestant, running)
  return {
    collection: contestant.collection,
    list,
    animals: ids.map(id => `${contestant.collection}/${id}`),
    pages,
  }
}

async function createAnimals({ collection, name }: Contestant, { url, headers }: Running): Promise<number[]> {
  const ids: number[] = []
  let next = 0
  const worker = async () => {
    while (next < ANIMALS) {
      const response = await fetch(url + collection, {
        method: 'POST',
        headers: { ...headers, 'content-type': 'application/json' },
        body: animal(next++),
      })
      if (response.status !== 201) throw new Error(`${name} answered ${response.status} while being seeded`)
      const { id } = (await response.json()) as { id: number }
      ids.push(id)
    }
  }
  await Promise.all(Array.from({ length: CONCURRENCY }, worker))
  return ids.sort((a, b) => a - b)
}

/** All pages without a filter, then those of each status, until there are 100 different pages. */
async function collectPages(contestant: Contestant, running: Running): Promise<string[]> {
  const pages: string[] = []
  for (const status of [undefined, 'available', 'pending', 'sold']) {
    let path: string | undefined = contestant.firstPage(PAGE_SIZE, status)
    while (path && pages.length < PAGES) {
      pages.push(path)
      path = await nextPage(path, running)
    }
  }
  return pages
}

async function nextPage(path: string, { url, headers }: Running): Promise<string | undefined> {
  const response = await fetch(url + path, { headers })
  await response.arrayBuffer()
  const next = /<([^>]+)>;\s*rel="next"/.exec(response.headers.get('link') ?? '')?.[1]
  if (next === undefined) return undefined
  const { pathname, search } = new URL(next, url)
  return pathname + search
}
