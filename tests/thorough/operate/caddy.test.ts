import { expect } from 'bun:test'
import { join } from 'node:path'
import { petJson } from '../../support/http.ts'
import { freePort, freshFolder, freshSqliteUrl, listens } from '../../support/process.ts'
import { Beside, DEPLOY, needs, program } from '../../support/programs.ts'
import { API_KEY, type ServiceProcess, startProcess } from '../../support/service.ts'

const { afterAll, beforeAll, test } = needs('caddy')

let service: ServiceProcess
let caddy: Beside
let url: string

beforeAll(async () => {
  service = await startProcess({ databaseUrl: await freshSqliteUrl() })
  const [port, folder] = [await freePort(), await freshFolder()]
  url = `http://127.0.0.1:${port}`
  caddy = new Beside(
    [program('caddy'), 'run', '--config', join(DEPLOY, 'Caddyfile'), '--adapter', 'caddyfile'],
    { PETSTORE_SITE: url, PETSTORE_ADDRESS: new URL(service.url).host, HOME: folder, XDG_DATA_HOME: folder },
  )
  await caddy.until('Caddy listens', () => listens(port))
})

afterAll(() => caddy.stop())

const send = (body: string, key: string | undefined = API_KEY) =>
  fetch(`${url}/v1/pets`, {
    method: 'POST',
    body,
    headers: { 'Content-Type': 'application/json', ...(key && { Authorization: `Bearer ${key}` }) },
  })

test('deploy/Caddyfile passes requests and answers on as they are', async () => {
  const created = await send(petJson({ name: 'Rex', categoryId: 2n ** 62n }))
  expect(created.status).toBe(201)
  expect(created.headers.get('location')).toBe('/v1/pets/1')
  expect(await created.text()).toContain(`"categoryId":${2n ** 62n}`)
  const refused = await send(petJson({}), '')
  expect(refused.status).toBe(401)
  expect(await refused.json()).toMatchObject({ code: 'missing_api_key', status: 401 })
  const list = await fetch(`${url}/v1/pets`, { headers: { Authorization: `Bearer ${API_KEY}` } })
  const tag = list.headers.get('etag') ?? ''
  const again = { Authorization: `Bearer ${API_KEY}`, 'If-None-Match': tag }
  expect((await fetch(`${url}/v1/pets`, { headers: again })).status).toBe(304)
})

test('50 MB are refused in the shape of an error, and stall no other request', async () => {
  for (let n = 0; n < 3; n++) {
    const refused = await send(' '.repeat(50_000_000))
    // The service stops reading after 256 KiB; Caddy, which is still sending, may see that before the refusal.
    expect(['413 body_too_large', '502 unavailable']).toContain(
      `${refused.status} ${((await refused.json()) as { code: string }).code}`,
    )
    expect((await send(petJson({}))).status).toBe(201)
  }
})

test('while the service is away, Caddy answers in the shape of its errors and says when to come back', async () => {
  await service.stop()
  const answer = await send(petJson({}))
  expect([502, 503]).toContain(answer.status)
  expect(answer.headers.get('content-type')).toBe('application/json')
  expect(answer.headers.get('retry-after')).toBe('1')
  expect(await answer.json()).toMatchObject({ code: 'unavailable', status: answer.status })
})
