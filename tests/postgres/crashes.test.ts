import { expect, test } from 'bun:test'
import { BALANCED, balance, Load } from '../support/load.ts'
import { PostgresServer, query } from '../support/postgres.ts'
import { eventually } from '../support/process.ts'
import { startService } from '../support/service.ts'

/** PETSTORE_FAULTS=full is the form that takes longer. */
const CRASHES = process.env.PETSTORE_FAULTS === 'full' ? 20 : 3
const ANIMALS_BETWEEN = 300

test(`PostgreSQL killed with -9 ${CRASHES} times under load loses no acknowledged animal, doubles none under an idempotency key and answers no request with another's animal`, async () => {
  const server = await PostgresServer.create()
  const databaseUrl = await server.freshDatabaseUrl()
  const service = await startService({ databaseUrl })
  const load = new Load(() => service.url)
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
  expect(await service.stop()).toBe(0)
  expect(service.errors.text).toBe('')
  await server.remove()
}, 300_000)
