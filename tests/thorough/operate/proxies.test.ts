import { expect } from 'bun:test'
import { readFileSync, writeFileSync } from 'node:fs'
import { request } from 'node:https'
import { join, resolve } from 'node:path'
import { ERRORS } from '../../../src/contract/errors.ts'
import { petJson } from '../../support/http.ts'
import { eventually, freePort, freshFolder, listens } from '../../support/process.ts'
import {
  Beside,
  DEPLOY,
  failureOfProxy,
  Haproxy,
  losingInstance,
  needs,
  program,
} from '../../support/programs.ts'
import { API_KEY, type ServiceProcess, startProcess } from '../../support/service.ts'

const { afterAll, beforeAll, test } = needs('caddy')

const AUTHORIZED = { Authorization: `Bearer ${API_KEY}`, 'Content-Type': 'application/json' }

/** Runs a file of deploy in front of a service. */
async function startCaddy(servicePort: number, host = 'http://127.0.0.1', file = 'Caddyfile') {
  const [home, port] = [await freshFolder(), freePort()]
  const url = `${host}:${port}`
  const caddy = new Beside(
    [program('caddy'), 'run', '--config', resolve(DEPLOY, file), '--adapter', 'caddyfile'],
    { HOME: home, XDG_DATA_HOME: home, PETSTORE_SITE: url, PETSTORE_ADDRESS: `127.0.0.1:${servicePort}` },
  )
  await caddy.until('Caddy listens', () => listens(port))
  return Object.assign(caddy, { url })
}

const portOf = (address: string): number => Number(new URL(address).port)

let service: ServiceProcess
let caddy: Awaited<ReturnType<typeof startCaddy>>
beforeAll(async () => {
  service = await startProcess()
  caddy = await startCaddy(portOf(service.url))
})
afterAll(() => caddy.stop())

const send = (body: string | ReadableStream) =>
  fetch(`${caddy.url}/v1/pets`, { method: 'POST', body, headers: AUTHORIZED })

test('deploy/Caddyfile passes requests and answers on as they are', async () => {
  const created = await send(petJson({ name: 'Rex', categoryId: 2n ** 62n }))
  expect([created.status, created.headers.get('location')]).toEqual([201, '/v1/pets/1'])
  expect(await created.text()).toContain(`"categoryId":${2n ** 62n}`)
  const list = await fetch(`${caddy.url}/v1/pets`, { headers: AUTHORIZED })
  const again = { ...AUTHORIZED, 'If-None-Match': list.headers.get('etag') ?? '' }
  expect((await fetch(`${caddy.url}/v1/pets`, { headers: again })).status).toBe(304)
})

test.each([300_000, 3_000_000, 50_000_000])('%d bytes are refused, and stall nobody else', async size => {
  const { status, message } = ERRORS.body_too_large
  for (let n = 0; n < 4; n++)
    // A stream does not state its length.
    for (const body of [' '.repeat(size), new Blob([' '.repeat(size)]).stream()]) {
      const refused = await send(body)
      expect(refused.headers.get('content-type')).toBe('application/json')
      expect(await refused.json()).toEqual({ code: 'body_too_large', message, status })
      expect([refused.status, (await send(petJson({}))).status]).toEqual([status, 201])
    }
})

test('a request for another host than the certificate is for is a 421, not the empty 200 of Caddy', async () => {
  const file = join(await freshFolder(), 'Caddyfile')
  // A certificate of its own, and no other trace on this machine.
  const own = `admin off\n\tskip_install_trust\n\thttp_port ${freePort()}\n`
  writeFileSync(file, readFileSync(join(DEPLOY, 'Caddyfile'), 'utf8').replace('admin off\n', own))
  const secure = await startCaddy(portOf(service.url), 'https://pets.localhost', file)
  const ask = (host: string) =>
    new Promise((settle, reject) => {
      const tls = { servername: 'pets.localhost', rejectUnauthorized: false }
      const options = { host: '127.0.0.1', port: portOf(secure.url), path: '/livez', headers: { Host: host } }
      request({ ...options, ...tls }, response => settle(response.resume().statusCode))
        .on('error', reject)
        .end()
    })
  // Caddy listens before it has made its certificate.
  const known = await eventually('it has a certificate', () => ask('pets.localhost').catch(() => undefined))
  expect([known, await ask('other.example')]).toEqual([200, 421])
  await secure.stop()
})

const ID = 'who-was-this'
const PROXIES = [
  {
    name: 'caddy',
    before: (port: number) => startCaddy(port),
    logged: { request: { remote_ip: '127.0.0.1' }, resp_headers: { 'X-Request-Id': [ID] } },
  },
  {
    name: 'haproxy',
    before: (port: number) => Haproxy.before([port, port, port]),
    logged: {
      time: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/),
      client: '127.0.0.1',
      requestId: ID,
    },
  },
] as const

for (const { name, before, logged } of PROXIES) {
  const { test } = needs(name)

  test(`a create whose response ${name} lost may be stored, with a key or without, and is sent once; one that was sent nowhere is not, nor is a read`, async () => {
    using losing = await losingInstance()
    const proxy = await before(losing.port)
    const ask = (method: string, headers: Record<string, string> = {}): Promise<string> =>
      failureOfProxy(fetch(`${proxy.url}/v1/pets`, { method, headers, keepalive: false }))
    expect(await ask('POST')).toBe('502 outcome_unknown')
    expect(await ask('POST', { 'Idempotency-Key': 'one' })).toBe('502 outcome_unknown')
    expect(losing.creates).toBe(2)
    expect(await ask('GET')).toBe('502 unavailable')
    losing[Symbol.dispose]()
    await eventually('it has no instance', async () => (await ask('POST')) === '503 unavailable' || undefined)
    await proxy.stop()
  })

  test(`${name} logs the client's address with the request id that the service logs, and no key`, async () => {
    using service = await startProcess()
    const proxy = await before(portOf(service.url))
    const key = `pets_live_${'c'.repeat(33)}`
    const headers = { Authorization: `Bearer ${key}`, 'X-Request-Id': ID }
    expect((await fetch(`${proxy.url}/v1/pets?key=${key}`, { headers })).status).toBe(401)
    const line = await eventually('its line', () =>
      proxy.text.split('\n').find(each => each.endsWith('}') && each.includes(ID)),
    )
    expect(JSON.parse(line)).toMatchObject({ status: 401, ...logged })
    expect(proxy.text).not.toContain(key)
    await proxy.stop()
  })
}
