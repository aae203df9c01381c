import { expect } from 'bun:test'
import { petJson } from '../../support/http/exact.ts'
import { walk } from '../../support/http/walk.ts'
import { needs } from '../../support/programs/needs.ts'
import { createKey, petstore } from '../../support/service/cli.ts'
import { engines } from '../../support/service/engines.ts'
import { freshSqliteUrl } from '../../support/service/folder.ts'
import { eventually } from '../../support/service/process.ts'
import { type ServiceProcess, startProcess } from '../../support/service/service-process.ts'
import { measured, TIMEOUT_MS } from './support/form.ts'
import { SteppedClock } from './support/stepped-clock.ts'

const { describe, test } = needs('faketime')

const DAY_MS = 24 * 60 * 60 * 1000
const REVOCATION_HOLDS_WITHIN_MS = 5000

/** The day on the service's clock, relative to today. */
async function dayOf(service: ServiceProcess): Promise<number> {
  const { headers } = await service.fetch('/livez')
  return Math.round((Date.parse(headers.get('date') ?? '') - Date.now()) / DAY_MS)
}

describe.each(engines.map(engine => [engine.name, engine] as const))(
  'with a clock that is stepped, on %s',
  (name, engine) => {
    test(
      'identifiers, order, expiry, revocation, idempotency and timers behave, 30 days ahead and 30 days back',
      async () => {
        const clock = await SteppedClock.create()
        const databaseUrl = await engine.freshDatabaseUrl()
        const service = await startProcess({ databaseUrl, variables: clock.variables })
        const inTenDays = new Date(Date.now() + 10 * DAY_MS).toISOString()
        const expiring = await createKey(databaseUrl, 'expiring', '--expires', inTenDays)
        const revoked = await createKey(databaseUrl, 'revoked')
        const ids: bigint[] = []
        for (const day of [0, 30, -30, 0, -30, 30]) {
          clock.step(day)
          await eventually('the step is seen', async () =>
            (await dayOf(service)) === day ? true : undefined,
          )
          const key = { 'Idempotency-Key': `${ids.length}` }
          const first = await service.post(petJson({ name: `day ${day}` }), key)
          const repeated = await service.post(petJson({ name: `day ${day}` }), key)
          expect([first.status, repeated.status]).toEqual([201, 201])
          expect(repeated.pet).toEqual(first.pet)
          expect(repeated.headers.get('idempotent-replayed')).toBe('true')
          ids.push(first.pet.id)
          const { status } = await service.fetch('/v1/pets', { key: expiring })
          expect([day, status]).toEqual([day, day === 30 ? 401 : 200])
          expect((await service.fetch('/v1/pets', { key: revoked })).status).toBe(200)
        }
        expect(ids).toEqual(ids.toSorted((a, b) => Number(a - b)))
        expect((await walk(service, '/v1/pets?limit=2')).pets.map(({ id }) => id)).toEqual(ids)

        clock.step(-30)
        await petstore(['keys', 'revoke', 'revoked', '--yes'], { DATABASE_URL: databaseUrl })
        await eventually(
          'the revocation holds',
          async () => (await service.fetch('/v1/pets', { key: revoked })).status === 401 || undefined,
          REVOCATION_HOLDS_WITHIN_MS,
        )
        const requests = service.output.log.filter(line => line.event === 'request')
        const odd = requests.filter(({ durationMs }) => Number(durationMs) < 0 || Number(durationMs) > 10_000)
        expect(odd).toEqual([])
        const since = performance.now()
        service.signal('SIGTERM')
        clock.step(30)
        expect(await service.exited()).toBe(0)
        expect(performance.now() - since).toBeLessThan(10_000)
        measured(
          `clock stepped by 30 days, ${name}`,
          'identifiers and order unchanged, expiry follows the clock, repeats recognised, revocation within 5 s, durations and shutdown unaffected',
        )
      },
      TIMEOUT_MS,
    )
  },
)

test('the step reaches what it must: two days later an idempotency key of the embedded store is forgotten', async () => {
  const clock = await SteppedClock.create()
  const service = await startProcess({ databaseUrl: await freshSqliteUrl(), variables: clock.variables })
  const add = () => service.post(petJson({}), { 'Idempotency-Key': 'one' })
  const first = await add()
  clock.step(2)
  await eventually('the step is seen', async () => ((await dayOf(service)) === 2 ? true : undefined))
  const second = await add()
  expect([first.pet.id, second.pet.id]).toEqual([1n, 2n])
  // Back to today: the key last used in the future still identifies its animal.
  clock.step(0)
  await eventually('the step is seen', async () => ((await dayOf(service)) === 0 ? true : undefined))
  expect((await add()).pet.id).toBe(2n)
  expect(await service.stop()).toBe(0)
})
