import { expect } from 'bun:test'
import { BALANCED, balance, Load } from '../../support/load.ts'
import { freshPostgresUrl, query } from '../../support/postgres.ts'
import { eventually, freePort } from '../../support/process.ts'
import { failureOfProxy, Haproxy, losingInstance, needs } from '../../support/programs.ts'
import { type ServiceProcess, startProcess } from '../../support/service.ts'

const { afterAll, beforeAll, test } = needs('haproxy')

const ANIMALS_BETWEEN = 100

let databaseUrl: string
let instances: ServiceProcess[]
let haproxy: Haproxy

beforeAll(async () => {
  databaseUrl = await freshPostgresUrl()
  const ports = [await freePort(), await freePort(), await freePort()]
  instances = await Promise.all(
    ports.map(port => startProcess({ databaseUrl, variables: { PORT: String(port) } })),
  )
  haproxy = await Haproxy.before(ports)
})
afterAll(async () => {
  await Promise.all(instances.map(instance => instance.stop()))
  await haproxy.stop()
})

test('three instances behind one address, restarted one by one under load, fail not one request', async () => {
  const load = new Load(() => haproxy.url)
  const before = [...instances]
  for (let place = 0; place < instances.length; place++) {
    const sofar = load.acknowledged.size
    instances[place] = await (instances[place] as ServiceProcess).restart()
    await haproxy.allUp()
    const isServing = () => load.acknowledged.size - sofar > ANIMALS_BETWEEN || undefined
    await eventually('animals are added', isServing)
  }
  await load.stop()
  expect(load.unavailable).toBe(0)
  expect(balance(load, await query(databaseUrl, 'SELECT id, name FROM pets'))).toEqual(BALANCED)
  for (const { output, errors } of before) {
    expect(output.log.findLast(({ event }) => event === 'stopped')).toMatchObject({ unfinished: 0 })
    expect(errors.text).toBe('')
  }
  for (const { output } of instances) await output.entry(({ event }) => event === 'request')
})

test('a create whose response HAProxy lost may be stored, with a key or without, and is sent once; one that was sent nowhere is not, nor is a read', async () => {
  using losing = await losingInstance()
  const { port } = losing
  const before = await Haproxy.before([port, port, port])
  const ask = (method: string, headers: Record<string, string> = {}): Promise<string> =>
    failureOfProxy(fetch(`${before.url}/v1/pets`, { method, headers, keepalive: false }))
  expect(await ask('POST')).toBe('502 outcome_unknown')
  expect(await ask('POST', { 'Idempotency-Key': 'one' })).toBe('502 outcome_unknown')
  expect(losing.creates).toBe(2)
  expect(await ask('GET')).toBe('502 unavailable')
  losing[Symbol.dispose]()
  await eventually(
    'HAProxy has no instance',
    async () => (await ask('POST')) === '503 unavailable' || undefined,
  )
  await before.stop()
})

test("HAProxy logs the client's address with the request id that the instance logs, and no key", async () => {
  const key = `pets_live_${'c'.repeat(33)}`
  const headers = { Authorization: `Bearer ${key}`, 'X-Request-Id': 'who-was-this' }
  expect((await fetch(`${haproxy.url}/v1/pets?key=${key}`, { headers })).status).toBe(401)
  const line = await eventually('its line', () =>
    haproxy.text.split('\n').find(each => each.endsWith('}') && each.includes('who-was-this')),
  )
  expect(JSON.parse(line)).toMatchObject({
    time: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/),
    client: '127.0.0.1',
    requestId: 'who-was-this',
    method: 'GET',
    status: 401,
  })
  expect(haproxy.text).not.toContain(key)
})
