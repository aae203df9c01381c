import { expect } from 'bun:test'
import { readFileSync, writeFileSync } from 'node:fs'
import { request } from 'node:https'
import { join, resolve } from 'node:path'
import { ERRORS } from '../../../src/contract/errors.ts'
import { petJson } from '../../support/http.ts'
import { eventually, freePort, freshFolder, listens } from '../../support/process.ts'
import { Beside, DEPLOY, failureOfProxy, losingInstance, needs, program } from '../../support/programs.ts'
import { API_KEY, startProcess } from '../../support/service.ts'

const { afterAll, beforeAll, test } = needs('caddy')

const AUTHORIZED = { Authorization: `Bearer ${API_KEY}`, 'Content-Type': 'application/json' }

const caddies: Beside[] = []
/** Of the service. */
let address: string
let url: string

/** Starts Caddy with a file of deploy. */
async function run(file: string, port: number, variables: Record<string, string>): Promise<void> {
  const folder = await freshFolder()
  const caddy = new Beside(
    [program('caddy'), 'run', '--config', resolve(DEPLOY, file), '--adapter', 'caddyfile'],
    { HOME: folder, XDG_DATA_HOME: folder, ...variables },
  )
  caddies.push(caddy)
  await caddy.until('Caddy listens', () => listens(port))
}

/** Starts Caddy in front of a service at this address; returns the URL. */
async function startCaddy(address: string): Promise<string> {
  const port = freePort()
  const site = `http://127.0.0.1:${port}`
  await run('Caddyfile', port, { PETSTORE_SITE: site, PETSTORE_ADDRESS: address })
  return site
}

beforeAll(async () => {
  const service = await startProcess()
  address = new URL(service.url).host
  url = await startCaddy(address)
})
afterAll(() => Promise.all(caddies.map(caddy => caddy.stop())))

const send = (body: string | ReadableStream, site = url, headers: Record<string, string> = AUTHORIZED) =>
  fetch(`${site}/v1/pets`, { method: 'POST', body, headers })

test('deploy/Caddyfile passes requests and answers on as they are', async () => {
  const created = await send(petJson({ name: 'Rex', categoryId: 2n ** 62n }))
  expect(created.status).toBe(201)
  expect(created.headers.get('location')).toMatch(/^\/v1\/pets\/\d+$/)
  expect(await created.text()).toContain(`"categoryId":${2n ** 62n}`)
  const refused = await send(petJson({}), url, {})
  expect(refused.status).toBe(401)
  expect(await refused.json()).toMatchObject({ code: 'missing_api_key', status: 401 })
  const list = await fetch(`${url}/v1/pets`, { headers: AUTHORIZED })
  const again = { ...AUTHORIZED, 'If-None-Match': list.headers.get('etag') ?? '' }
  expect((await fetch(`${url}/v1/pets`, { headers: again })).status).toBe(304)
})

/** A body whose length the request does not state. */
const chunked = (text: string): ReadableStream => new Blob([text]).stream()

test.each([300_000, 3_000_000, 50_000_000])(
  '%d bytes are refused as the service does it, however they are sent, and stall no other request',
  async size => {
    const { status, message } = ERRORS.body_too_large
    for (let n = 0; n < 4; n++)
      for (const body of [' '.repeat(size), chunked(' '.repeat(size))]) {
        const refused = await send(body)
        expect(refused.headers.get('content-type')).toBe('application/json')
        expect(await refused.json()).toEqual({ code: 'body_too_large', message, status })
        expect([refused.status, (await send(petJson({}))).status]).toEqual([status, 201])
      }
  },
)

test('while the service is away, Caddy answers in the shape of its errors, says when to come back, and whether an animal may be stored', async () => {
  using losing = await losingInstance()
  const site = await startCaddy(`127.0.0.1:${losing.port}`)
  const ask = (method: string): Promise<string> => failureOfProxy(fetch(`${site}/v1/pets`, { method }))
  expect([await ask('POST'), await ask('GET')]).toEqual(['502 outcome_unknown', '502 unavailable'])
  losing[Symbol.dispose]()
  await eventually(
    'Caddy has no instance',
    async () => (await ask('POST')) === '503 unavailable' || undefined,
  )
})

test('a request for another host than the certificate is for is a 421, not the empty 200 of Caddy', async () => {
  const [port, file] = [freePort(), join(await freshFolder(), 'Caddyfile')]
  // A certificate of its own, and no other trace on this machine.
  const own = `admin off\n\tskip_install_trust\n\thttp_port ${freePort()}\n`
  writeFileSync(file, readFileSync(join(DEPLOY, 'Caddyfile'), 'utf8').replace('admin off\n', own))
  await run(file, port, { PETSTORE_SITE: `https://pets.localhost:${port}`, PETSTORE_ADDRESS: address })
  const ask = (host: string) =>
    new Promise((settle, reject) => {
      const tls = { servername: 'pets.localhost', rejectUnauthorized: false }
      const options = { host: '127.0.0.1', port, path: '/livez', headers: { Host: host }, ...tls }
      request(options, response => settle(response.resume().statusCode))
        .on('error', reject)
        .end()
    })
  expect([await ask('pets.localhost'), await ask('other.example')]).toEqual([200, 421])
})

test("Caddy logs the client's address with the request id that the service logs, and no key", async () => {
  const key = `pets_live_${'c'.repeat(33)}`
  const headers = { Authorization: `Bearer ${key}`, 'X-Request-Id': 'who-was-this' }
  expect((await fetch(`${url}/v1/pets?key=${key}`, { headers })).status).toBe(401)
  const line = await eventually('its line', () =>
    caddies
      .flatMap(({ text }) => text.split('\n'))
      .find(each => each.endsWith('}') && each.includes('who-was-this')),
  )
  const { status, request, resp_headers } = JSON.parse(line)
  expect([status, request.remote_ip, resp_headers['X-Request-Id']]).toEqual([
    401,
    '127.0.0.1',
    ['who-was-this'],
  ])
  for (const { text } of caddies) expect(text).not.toContain(key)
})
