import { describe, expect, test } from 'bun:test'
import { petJson } from '../support/http/exact.ts'
import { engines } from '../support/service/engines.ts'
import { startProcess } from '../support/service/service-process.ts'
import { everythingStored } from '../thorough/security/support/everything-stored.ts'
import { fillWithSchemaFour } from './schema-four.ts'

const HOUR = 60 * 60 * 1000
/** The id of the key that the tests configure, which is the same for each process. */
const KEY_ID = /configured_[0-9a-f]{8}/
const OLD = Array.from({ length: 300 }, (_, n) => `old-idempotency-key-${n}`)

describe.each(engines.map(engine => [engine.name, engine] as const))('an upgrade on %s', (_name, engine) => {
  test('finds the repeats of before, and leaves none of their idempotency keys in the database', async () => {
    const scout = await startProcess({ databaseUrl: await engine.freshDatabaseUrl() })
    await scout.fetch('/v1/pets')
    await scout.stop()
    const [keyId = ''] = KEY_ID.exec(scout.output.text) ?? []

    const databaseUrl = await engine.freshDatabaseUrl()
    const remembered = OLD.map((key, n) => ({ keyId, key, petId: n + 1, ageMs: HOUR }))
    const forgotten = { keyId, key: 'forgotten-idempotency-key', petId: 301, ageMs: 25 * HOUR }
    await fillWithSchemaFour(databaseUrl, [...remembered, forgotten])
    expect(await everythingStored(databaseUrl)).toContain('old-idempotency-key-299')

    const service = await startProcess({ databaseUrl })
    expect(await everythingStored(databaseUrl)).not.toMatch(/old-idempotency-key/)
    for (const n of [0, 150, 299]) {
      const headers = { 'Idempotency-Key': OLD[n] ?? '' }
      const answer = await service.post(petJson({ name: 'Rex', categoryId: 7n }), headers)
      expect([answer.status, answer.pet.id]).toEqual([201, BigInt(n + 1)])
      expect(answer.headers.get('idempotent-replayed')).toBe('true')
    }
    const late = await service.post(petJson({ name: 'Rex', categoryId: 7n }), {
      'Idempotency-Key': 'forgotten-idempotency-key',
    })
    expect(late.headers.get('idempotent-replayed')).toBeNull()
    expect(await everythingStored(databaseUrl)).not.toMatch(/idempotency-key/)
    expect(await service.stop()).toBe(0)
  })
})
