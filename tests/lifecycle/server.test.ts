import { expect, test } from 'bun:test'
import { startServer } from '../../src/api/server.ts'
import { Turns } from '../../src/api/turns.ts'
import { loadConfig } from '../../src/config/load.ts'
import { KeyRing } from '../../src/keys/key-ring.ts'
import { pageFiles } from '../../src/pages/files.ts'
import { servedPages } from '../../src/pages/pages.ts'
import { API_KEY, SlowRequest } from '../support/http.ts'
import { freshSqliteUrl } from '../support/process.ts'
import { makeStore, openStore } from '../support/store.ts'

/** The server of one thread of several, with 40 animals of a kilobyte each. */
async function serverOfOne(threads: string) {
  const DATABASE_URL = await freshSqliteUrl()
  await makeStore(DATABASE_URL, Array(40).fill('🐈'.repeat(255)))
  const store = await openStore(DATABASE_URL)
  const config = loadConfig({}, { DATABASE_URL, PETSTORE_THREADS: threads })
  const ring = new KeyRing({ environment: 'production', keys: store.keys, configuredKey: API_KEY })
  const files = pageFiles(config, () => {})
  const { respond: pages } = servedPages(config, files)
  const off = { tls: undefined, rateCounts: undefined, inSpan: undefined, pages }
  const options = { config, port: 0, store, ring, turns: new Turns(), observe: () => {}, ...off }
  const server = startServer(options)
  const url = `http://127.0.0.1:${server.port}`
  return { ...server, url, [Symbol.asyncDispose]: () => store.close() }
}

test('a request that does not end is not waited for, and counted', async () => {
  await using server = await serverOfOne('1')
  const slow = await SlowRequest.begin(server, 'never complete')
  expect(await server.drain(1)).toBe(1)
  await slow.finish()
})

test('one of 64 threads takes a 64th of the memory for cached responses', async () => {
  await using server = await serverOfOne('64')
  // Each page has 40 KB, and 128 KiB are kept.
  for (const limit of [40, 41, 42, 43, 40]) {
    const headers = { Authorization: `Bearer ${API_KEY}` }
    const page = await fetch(`${server.url}/v1/pets?limit=${limit}`, { headers })
    expect((await page.arrayBuffer()).byteLength).toBeGreaterThan(40_000)
  }
  expect(server.caches.listPets.reads).toEqual({ hits: 0, misses: 5 })
  await server.drain()
})
