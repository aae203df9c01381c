import { expect } from 'bun:test'
import { join } from 'node:path'
import type { Subprocess } from 'bun'
import { petJson } from '../support/http/exact.ts'
import { freePort, listens } from '../support/http/free-port.ts'
import { needs } from '../support/programs/needs.ts'
import { program } from '../support/programs/program.ts'
import { freshFolder, freshSqliteUrl } from '../support/service/folder.ts'
import { eventually } from '../support/service/process.ts'
import { API_KEY, type Service, startService } from '../support/service/service.ts'

const { afterAll, beforeAll, test } = needs('caddy')

const CONFIG = join(import.meta.dir, '../../deploy/Caddyfile')

let service: Service
let caddy: Subprocess<'ignore', 'ignore', 'ignore'>
let url: string

beforeAll(async () => {
  const [port, site] = [await freePort(), await freePort()]
  service = await startService({ databaseUrl: await freshSqliteUrl(), flags: ['--port', String(port)] })
  const folder = await freshFolder()
  url = `http://127.0.0.1:${site}`
  caddy = Bun.spawn([program('caddy'), 'run', '--config', CONFIG, '--adapter', 'caddyfile'], {
    env: {
      ...process.env,
      PETSTORE_SITE: url,
      PETSTORE_ADDRESS: `127.0.0.1:${port}`,
      HOME: folder,
      XDG_CONFIG_HOME: folder,
      XDG_DATA_HOME: folder,
    },
    stdio: ['ignore', 'ignore', 'ignore'],
  })
  await eventually('Caddy listens', async () => (await listens(site)) || undefined)
})

afterAll(async () => {
  caddy.kill()
  await caddy.exited
})

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

test('a body that is too large is refused with the error of the service', async () => {
  const answer = await send(petJson({ name: 'x'.repeat(200_000) }))
  expect(answer.status).toBe(413)
  expect(await answer.json()).toMatchObject({ code: 'body_too_large', status: 413 })
})

test('while the service is away, Caddy answers in the shape of its errors and says when to come back', async () => {
  await service.stop()
  const answer = await send(petJson({}))
  expect([502, 503]).toContain(answer.status)
  expect(answer.headers.get('content-type')).toBe('application/json')
  expect(answer.headers.get('retry-after')).toBe('1')
  expect(await answer.json()).toMatchObject({ code: 'unavailable', status: answer.status })
})
