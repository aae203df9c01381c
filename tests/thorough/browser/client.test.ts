import { expect } from 'bun:test'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import type * as client from '../../../client/src/index.ts'
import { startChromium } from '../../support/browser/chromium.ts'
import { freshSqliteUrl } from '../../support/process.ts'
import { needs } from '../../support/programs.ts'
import { API_KEY, type ServiceProcess, startProcess } from '../../support/service.ts'

const { afterAll, beforeAll, test } = needs('chromium')

const CLIENT = join(import.meta.dir, '../../../client/src/index.ts')

let service: ServiceProcess
let origin: Bun.Server<undefined>
let browser: Browser
let page: Page

beforeAll(async () => {
  service = await startProcess({ databaseUrl: await freshSqliteUrl() })
  origin = serveBeside(service.url, await bundle())
  browser = await startChromium()
  page = await browser.newPage()
  await page.goto(origin.url.href)
})

afterAll(async () => {
  await browser?.close()
  await origin?.stop(true)
  await service?.stop()
})

test('a page adds, lists and gets animals, exact to the last digit', async () => {
  const seen = await page.evaluate(async key => {
    const { store } = await connect(key)
    const told: string[] = []
    const created = await store.pets.create({ name: 'Rex "9007199254740993"', categoryId: -(2n ** 63n) })
    for (let more = 0; more < 120; more++)
      await store.pets.create({ name: 'Max', categoryId: more, status: 'sold' })
    const first = await store.pets.list({ status: 'available' })
    let sold = 0
    for await (const pet of store.pets.list({ status: 'sold' })) sold += pet.name === 'Max' ? 1 : 0
    const got = await store.pets.get(created.id)
    told.push(...deprecated)
    return {
      name: got.name,
      categoryId: `${typeof got.categoryId} ${got.categoryId}`,
      same: JSON.stringify(first.items, texts) === JSON.stringify([created], texts),
      sold,
      told,
    }
  }, API_KEY)
  expect(seen).toEqual({
    name: 'Rex "9007199254740993"',
    categoryId: `bigint ${-(2n ** 63n)}`,
    same: true,
    sold: 120,
    told: ['getPet'],
  })
})

test('a page sees errors by their class, code and request id', async () => {
  const seen = await page.evaluate(async key => {
    const { store, AuthenticationError } = await connect(key)
    const { store: locked } = await connect('not-a-key')
    const errorOf = (call: PromiseLike<unknown>): Promise<client.PetstoreError> =>
      Promise.resolve(call).then(Promise.reject, error => error)
    const missing = await errorOf(store.pets.get(2n ** 63n - 1n))
    const refused = await errorOf(locked.pets.list())
    return [missing.code, typeof missing.requestId, refused.code, refused instanceof AuthenticationError]
  }, API_KEY)
  expect(seen).toEqual(['pet_not_found', 'string', 'invalid_api_key', true])
})

/** What the page defines for the tests. */
declare function connect(apiKey: string): Promise<typeof client & { store: client.Petstore }>
declare const deprecated: string[]
declare function texts(name: string, value: unknown): unknown

const PAGE = `<!doctype html><title>client</title><script type="module">
  import * as client from '/client.js'
  globalThis.deprecated = []
  globalThis.texts = (name, value) => typeof value === 'bigint' ? String(value) : value
  globalThis.connect = async apiKey => ({ ...client, store: new client.Petstore({
    apiKey,
    baseUrl: '/v1',
    onDeprecated: ({ operation }) => deprecated.push(operation),
  }) })
</script>`

/** The same build as in the package. */
async function bundle(): Promise<Blob> {
  const built = await Bun.build({ entrypoints: [CLIENT], minify: true, format: 'esm', target: 'browser' })
  const [file] = built.outputs
  if (file === undefined) throw new Error('The client could not be bundled.')
  return file
}

/** The service allows no other origin, so the page comes from the origin that forwards to it. */
const serveBeside = (url: string, script: Blob): Bun.Server<undefined> =>
  Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    routes: {
      '/': new Response(PAGE, { headers: { 'Content-Type': 'text/html' } }),
      '/client.js': new Response(script, { headers: { 'Content-Type': 'text/javascript' } }),
    },
    fetch: request => fetch(url + request.url.slice(origin.url.origin.length), request),
  })
