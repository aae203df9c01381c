import { expect, test } from 'bun:test'
import { engines } from '../support/engines.ts'
import { type PetBody, parseExact } from '../support/exact.ts'
import { eventually } from '../support/process.ts'
import { type Service, startService } from '../support/service.ts'
import { figure, isFull, measured, TIMEOUT_MS } from './support/form.ts'
import { seeded } from './support/seed.ts'
import { integrity, rows, type StoredPet, storedPets } from './support/stored.ts'
import { isKeyed, isWhole, send, Writers } from './support/writers.ts'

const KILLS = figure(4, 100)
const CALLERS = 16
const READY_MS = 2000

test.each(engines.map(engine => [engine.name, engine] as const))(
  `killed with -9 ${KILLS} times during concurrent writes on %s: no acknowledged animal is lost, none is half-made, no identifier is given twice, and the service is ready again within 2 seconds`,
  async (name, engine) => {
    const random = seeded('moments of death')
    const databaseUrl = await engine.freshDatabaseUrl()
    const acknowledged = new Map<string, bigint>()
    const stored = new Map<string, bigint>()
    const halfMade: StoredPet[] = []
    const startTimes: number[] = []
    let retry: string[] = []
    let highest = 0n
    for (let kill = 0; kill <= KILLS; kill++) {
      const { service, tookMs } = await startTimed(databaseUrl)
      startTimes.push(tookMs)
      for (const pet of await storedPets(databaseUrl, highest)) {
        expect(stored.has(pet.name)).toBe(false)
        stored.set(pet.name, BigInt(pet.id))
        if (!isWhole(pet)) halfMade.push(pet)
        highest = BigInt(pet.id)
      }
      const before = highest
      // What had no answer is sent again under its key, and must neither double nor fail.
      for (const again of retry) {
        const answer = await send(service.url, again)
        expect(answer?.status).toBe(201)
        acknowledged.set(again, (parseExact(answer?.text ?? '') as PetBody).id)
      }
      if (kill === KILLS) {
        expect(await service.stop()).toBe(0)
        break
      }
      const writers = new Writers(service.url, `${kill}`, CALLERS)
      await eventually('animals are added', () => writers.acknowledged.size > random(200) || undefined)
      await Bun.sleep(random(100))
      await service.kill()
      await writers.stop()
      expect(writers.unexpected).toEqual([])
      for (const [sent, id] of writers.acknowledged) {
        expect(id).toBeGreaterThan(before)
        acknowledged.set(sent, id)
      }
      retry = writers.unanswered.filter(isKeyed)
    }

    const survivors = new Map((await storedPets(databaseUrl)).map(pet => [BigInt(pet.id), pet.name]))
    const lost = [...acknowledged].filter(([sent, id]) => survivors.get(id) !== sent)
    const remembered = await rows<{ key: string; name: string }>(
      databaseUrl,
      'SELECT key, pets.name FROM idempotency LEFT JOIN pets ON pets.id = pet_id',
    )
    const forgotten = new Set([...acknowledged.keys()].filter(isKeyed))
    for (const { key } of remembered) forgotten.delete(key)
    expect({ lost, halfMade, mismatched: remembered.filter(row => row.key !== row.name) }).toEqual({
      lost: [],
      halfMade: [],
      mismatched: [],
    })
    expect([...forgotten]).toEqual([])
    expect(new Set(acknowledged.values()).size).toBe(acknowledged.size)
    expect(new Set(survivors.values()).size).toBe(survivors.size)
    expect(await integrity(databaseUrl)).toBe('ok')
    const sorted = startTimes.toSorted((a, b) => a - b)
    const slowest = Math.round(sorted.at(-1) ?? 0)
    measured(
      `kill -9 during concurrent writes, ${name}`,
      `${KILLS} kills, ${acknowledged.size} animals acknowledged: 0 lost, 0 half-made, 0 identifiers reused, integrity ok; ready again after ${slowest} ms at most`,
    )
    // In the short form other tests run on the same cores.
    expect(isFull ? slowest : (sorted[sorted.length >> 1] ?? 0)).toBeLessThan(READY_MS)
  },
  TIMEOUT_MS,
)

/** From the start of the process to its first 200 on /readyz. */
async function startTimed(databaseUrl: string): Promise<{ service: Service; tookMs: number }> {
  const since = performance.now()
  const service = await startService({ databaseUrl })
  const { status } = await service.fetch('/readyz')
  expect(status).toBe(200)
  return { service, tookMs: performance.now() - since }
}
