import { expect, test } from 'bun:test'
import { hashOfIdempotencyKey } from '../../../src/store/store.ts'
import { type PetBody, parseExact } from '../../support/http/exact.ts'
import { engines } from '../../support/service/engines.ts'
import { eventually } from '../../support/service/process.ts'
import { startProcess } from '../../support/service/service-process.ts'
import { figure, measured } from './support/form.ts'
import { seeded } from './support/seed.ts'
import { integrity, rows, type StoredPet, storedPets } from './support/stored.ts'
import { isKeyed, isWhole, send, Writers } from './support/writers.ts'

const KILLS = figure(4, 100)
const CALLERS = 16

test.each(engines.map(engine => [engine.name, engine] as const))(
  `killed with -9 ${KILLS} times during concurrent writes on %s: no acknowledged animal is lost, none is half-made, and no identifier is given twice`,
  async (name, engine) => {
    const random = seeded('moments of death')
    const databaseUrl = await engine.freshDatabaseUrl()
    const acknowledged = new Map<string, bigint>()
    const stored = new Map<string, bigint>()
    const halfMade: StoredPet[] = []
    let retry: string[] = []
    let highest = 0n
    for (let kill = 0; kill <= KILLS; kill++) {
      const service = await startProcess({ databaseUrl })
      for (const pet of await storedPets(databaseUrl, highest)) {
        expect(stored.has(pet.name)).toBe(false)
        stored.set(pet.name, BigInt(pet.id))
        if (!isWhole(pet)) halfMade.push(pet)
        highest = BigInt(pet.id)
      }
      const before = highest
      // A request without an answer is sent again with its key, and must neither add a second animal nor fail.
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
    const remembered = await rows<{ keyId: string; key: string; name: string }>(
      databaseUrl,
      'SELECT key_id AS "keyId", key, pets.name FROM idempotency LEFT JOIN pets ON pets.id = pet_id',
    )
    const forgotten = new Set([...acknowledged.keys()].filter(isKeyed))
    for (const { name } of remembered) forgotten.delete(name)
    const [secret] = await rows<{ value: string }>(
      databaseUrl,
      "SELECT value FROM meta WHERE name = 'cursor_secret'",
    )
    // Writers use the name of each animal as its key, which is stored as a hash.
    const mismatched = remembered.filter(
      ({ keyId, key, name }) => key !== hashOfIdempotencyKey({ keyId, key: name }, secret?.value ?? ''),
    )
    expect({ lost, halfMade, mismatched }).toEqual({
      lost: [],
      halfMade: [],
      mismatched: [],
    })
    expect([...forgotten]).toEqual([])
    expect(new Set(acknowledged.values()).size).toBe(acknowledged.size)
    expect(new Set(survivors.values()).size).toBe(survivors.size)
    expect(await integrity(databaseUrl)).toBe('ok')
    measured(
      `kill -9 during concurrent writes, ${name}`,
      `${KILLS} kills, ${acknowledged.size} animals acknowledged: 0 lost, 0 half-made, 0 identifiers reused, integrity ok`,
    )
  },
)
