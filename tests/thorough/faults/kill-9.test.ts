import { expect, test } from 'bun:test'
import { petJson } from '../../support/http.ts'
import { animalNamed, BALANCED, balance, isKeyed, Load, seeded } from '../../support/load.ts'
import { eventually } from '../../support/process.ts'
import { engines, startProcess } from '../../support/service.ts'
import { integrity, storedPets } from './support/stored.ts'

const KILLS = 4
const CALLERS = 16

const SETUPS = engines.flatMap(engine => [
  [engine.name, engine, '1'] as const,
  ...(engine.name === 'sqlite' ? [['sqlite with 4 threads', engine, '4'] as const] : []),
])

test.each(SETUPS)(
  `killed with -9 ${KILLS} times during concurrent writes on %s: no acknowledged animal is lost, none is half-made, none is added twice under a key, and no identifier is given twice`,
  async (_name, engine, threads) => {
    const random = seeded(9)
    const databaseUrl = await engine.freshDatabaseUrl()
    let service = await startProcess({ databaseUrl, variables: { PETSTORE_THREADS: threads } })
    const load = new Load(() => service.url, CALLERS)
    for (let kill = 0; kill < KILLS; kill++) {
      const enough = load.acknowledged.size + 1 + random(200)
      await eventually('animals are added', () => load.acknowledged.size > enough || undefined)
      await Bun.sleep(random(100))
      await service.kill()
      const known = new Set(load.acknowledged.keys())
      const highest = BigInt((await storedPets(databaseUrl)).at(-1)?.id ?? 0)
      service = await service.restart()
      const next = await eventually('animals are added again', () =>
        [...load.acknowledged.values()].find(({ name }) => !known.has(name) && !isKeyed(name)),
      )
      expect(next.id).toBeGreaterThan(highest)
    }
    await load.stop()

    const stored = await storedPets(databaseUrl)
    expect(balance(load, stored)).toEqual({ ...BALANCED, unanswered: expect.anything() })
    const sent = stored.map(({ id, name }) => ({ id, ...animalNamed(name) }))
    expect(stored).toEqual(
      sent.map(({ categoryId, ...pet }) => ({ ...pet, category_id: String(categoryId) })),
    )
    // The keys of the animals survived with them.
    for (const [name, { id }] of [...load.acknowledged].filter(([name]) => isKeyed(name)).slice(-100)) {
      const again = await service.post(petJson(animalNamed(name)), { 'Idempotency-Key': name })
      expect([again.pet.id, again.headers.get('idempotent-replayed')]).toEqual([id, 'true'])
    }
    expect(await service.stop()).toBe(0)
    expect(await integrity(databaseUrl)).toBe('ok')
  },
)
