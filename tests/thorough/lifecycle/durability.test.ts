import { expect, test } from 'bun:test'
import { type PetBody, petJson } from '../../support/http/exact.ts'
import { walk } from '../../support/http/walk.ts'
import { onEveryEngineAsProcess } from '../../support/service/engines.ts'
import { startProcess } from '../../support/service/service-process.ts'

onEveryEngineAsProcess('after SIGKILL', (_service, engine) => {
  test('an animal is there that was acknowledged the moment before', async () => {
    let service = await startProcess({ databaseUrl: await engine.freshDatabaseUrl() })
    const acknowledged: PetBody[] = []
    for (let round = 0; round < 4; round++) {
      acknowledged.push((await service.post(petJson({ name: `round ${round}` }))).pet)
      await service.kill()
      service = await service.restart()
      expect((await walk(service, '/v1/pets?limit=100')).pets).toEqual(acknowledged)
    }
    expect(await service.stop()).toBe(0)
  })

  test('of many writes under way all acknowledged ones are there, and a repeat adds none twice', async () => {
    const service = await startProcess({ databaseUrl: await engine.freshDatabaseUrl() })
    const acknowledged: PetBody[] = []
    const names = Array.from({ length: 200 }, (_, n) => `animal ${n}`)
    const add = (to: typeof service, name: string) => to.post(petJson({ name }), { 'Idempotency-Key': name })
    const writes = names.map(async name => {
      const answer = await add(service, name).catch(() => undefined)
      if (answer === undefined) return
      acknowledged.push(answer.pet)
      if (acknowledged.length === 20) service.signal('SIGKILL')
    })
    await Promise.all(writes)
    await service.kill()
    expect(acknowledged.length).toBeGreaterThanOrEqual(20)

    const again = await service.restart()
    const survivors = (await walk(again, '/v1/pets?limit=100')).pets
    for (const pet of acknowledged) expect(survivors).toContainEqual(pet)
    for (const name of names) expect((await add(again, name)).status).toBe(201)
    const everyone = (await walk(again, '/v1/pets?limit=100')).pets
    expect(everyone.map(({ name }) => name).toSorted()).toEqual(names.toSorted())
    expect(await again.stop()).toBe(0)
  })
})
