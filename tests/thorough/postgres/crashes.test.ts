import { expect, test } from 'bun:test'
import { BALANCED, balance, Load } from '../../support/load.ts'
import { PostgresServer, query } from '../../support/postgres.ts'
import { eventually } from '../../support/process.ts'
import { startInstances } from '../../support/service.ts'
import { figure, measured } from '../faults/support/form.ts'

const CRASHES = figure(3, 20)
const ANIMALS_BETWEEN = 300

test(`PostgreSQL killed with -9 ${CRASHES} times under load loses no acknowledged animal, doubles none under an idempotency key and answers no request with another's animal`, async () => {
  const server = await PostgresServer.create()
  const databaseUrl = await server.freshDatabaseUrl()
  const instances = await startInstances(2, { databaseUrl })
  // Each request goes to the next instance, so a repeat reaches a different instance than the original.
  let requests = 0
  const load = new Load(() => instances[requests++ % instances.length]?.url ?? '')
  for (let crash = 0; crash < CRASHES; crash++) {
    const before = load.acknowledged.size
    await eventually(
      'animals are added',
      () => load.acknowledged.size - before > ANIMALS_BETWEEN || undefined,
    )
    await server.crash()
    await server.start()
  }
  const before = load.acknowledged.size
  await eventually('animals are added again', () => load.acknowledged.size > before || undefined)
  await load.stop()

  expect(load.unavailable).toBeGreaterThan(0)
  expect(balance(load, await query(databaseUrl, 'SELECT id, name FROM pets'))).toEqual(BALANCED)
  expect(await Promise.all(instances.map(instance => instance.stop()))).toEqual([0, 0])
  expect(instances.map(({ errors }) => errors.text)).toEqual(['', ''])
  measured(
    'PostgreSQL killed with -9 under two instances',
    `${CRASHES} times: ${load.acknowledged.size} animals acknowledged, 0 lost, 0 doubled; ${load.unavailable} requests refused with 503`,
  )
  await server.remove()
})
