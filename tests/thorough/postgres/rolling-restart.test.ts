import { expect } from 'bun:test'
import { BALANCED, balance, Load } from '../../support/load.ts'
import { freshPostgresUrl, query } from '../../support/postgres.ts'
import { eventually, freePort } from '../../support/process.ts'
import { Haproxy, needs } from '../../support/programs.ts'
import { type ServiceProcess, startProcess } from '../../support/service.ts'

const { test } = needs('haproxy')

const ANIMALS_BETWEEN = 100
/** Few enough that a slow machine answers HAProxy's checks within their second. */
const CALLERS = 6

test('three instances behind one address, restarted one by one under load, fail not one request', async () => {
  const databaseUrl = await freshPostgresUrl()
  const ports = [freePort(), freePort(), freePort()]
  const start = (port: number) => startProcess({ databaseUrl, variables: { PORT: String(port) } })
  const instances = await Promise.all(ports.map(start))
  const haproxy = await Haproxy.before(ports)
  const load = new Load(() => haproxy.url, CALLERS)
  const before = [...instances]
  for (let place = 0; place < instances.length; place++) {
    const sofar = load.acknowledged.size
    instances[place] = await (instances[place] as ServiceProcess).restart()
    await haproxy.allUp()
    await eventually('animals are added', () => load.acknowledged.size - sofar > ANIMALS_BETWEEN || undefined)
  }
  await load.stop()
  expect(load.unavailable, haproxy.text.match(/.* is DOWN.*/g)?.join('\n')).toBe(0)
  expect(balance(load, await query(databaseUrl, 'SELECT id, name FROM pets'))).toEqual(BALANCED)
  for (const { output, errors } of before) {
    expect(output.log.findLast(({ event }) => event === 'stopped')).toMatchObject({ unfinished: 0 })
    expect(errors.text).toBe('')
  }
  for (const { output } of instances) await output.entry(({ event }) => event === 'request')
  await Promise.all(instances.map(instance => instance.stop()))
  await haproxy.stop()
})
