import { expect } from 'bun:test'
import { petJson, walk } from '../../support/http.ts'
import { createKey, eventually, petstore } from '../../support/process.ts'
import { needs } from '../../support/programs.ts'
import { engines, startProcess } from '../../support/service.ts'
import { steppedClock } from './support/system.ts'

const { test } = needs('faketime')

const DAY_MS = 24 * 60 * 60 * 1000
const REVOCATION_HOLDS_WITHIN_MS = 5000

/** A service, and a function that steps its clock to this day, relative to today. */
async function startWithClock(databaseUrl: string) {
  const clock = await steppedClock()
  const service = await startProcess({ databaseUrl, variables: clock.variables })
  const stepTo = async (day: number): Promise<void> => {
    clock.step(day)
    await eventually('the step is seen', async () => {
      const { headers } = await service.fetch('/livez')
      const now = Math.round((Date.parse(headers.get('date') ?? '') - Date.now()) / DAY_MS)
      return now === day || undefined
    })
  }
  return { service, clock, stepTo }
}

test.each(engines.map(engine => [engine.name, engine] as const))(
  'with a clock that is stepped on %s, identifiers, order, expiry, revocation, idempotency and timers behave, 30 days ahead and 30 days back',
  async (_name, engine) => {
    const databaseUrl = await engine.freshDatabaseUrl()
    const { service, clock, stepTo } = await startWithClock(databaseUrl)
    const expiring = await createKey(databaseUrl, 'expiring', '--expires', '10d')
    const revoked = await createKey(databaseUrl, 'revoked')
    const ids: bigint[] = []
    for (const day of [0, 30, -30, 30]) {
      await stepTo(day)
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
    const isRefused = async () =>
      (await service.fetch('/v1/pets', { key: revoked })).status === 401 || undefined
    await eventually('the revocation holds', isRefused, REVOCATION_HOLDS_WITHIN_MS)
    const requests = service.output.log.filter(line => line.event === 'request')
    const durations = requests.map(({ durationMs }) => Number(durationMs))
    expect(durations.filter(ms => ms < 0 || ms > 10_000)).toEqual([])
    service.signal('SIGTERM')
    clock.step(30)
    expect(await service.exited()).toBe(0)
  },
)
