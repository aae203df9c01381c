import { afterAll, beforeAll, expect, test } from 'bun:test'
import { type PetBody, petJson, walk } from '../support/http.ts'
import { eventually, petstore } from '../support/process.ts'
import { onEveryEngine, type Service, startProcess } from '../support/service.ts'
import { addKey } from '../support/store.ts'

onEveryEngine('two instances on one database', service => {
  let turn = 0
  let other: Service
  beforeAll(async () => {
    other = await startProcess(service().options)
  })
  afterAll(async () => expect(await other.stop()).toBe(0))
  const next = (): Service => (turn++ % 2 === 0 ? service() : other)
  const inTurn = <T>(count: number, ask: (instance: Service, n: number) => Promise<T>): Promise<T[]> =>
    Promise.all(Array.from({ length: count }, (_, n) => ask(next(), n)))

  test('give no identifier twice, and a page of one leads to the next page on the other', async () => {
    const add = (instance: Service, n: number) =>
      instance.post(petJson({ name: `animal ${n}`, status: 'sold' }))
    const added = await inTurn(60, add)
    for (const answer of added) expect(answer).toHaveStatus(201)
    const byTurns = { fetch: (target: string) => next().fetch(target) }
    const { pets } = await walk(byTurns, '/v1/pets?limit=7&status=sold')
    const namesOf = (all: readonly PetBody[]) => all.map(({ name }) => name).toSorted()
    expect(namesOf(pets)).toEqual(namesOf(added.map(({ pet }) => pet)))
  })

  test('show at once what the other added', async () => {
    // Twice, because the second time the other one has a last page in its cache.
    for (const name of ['here', 'there']) {
      const { pet } = await service().post(petJson({ name }))
      expect((await other.fetch(`/v1/pets/${pet.id}`)).pet).toEqual(pet)
      expect((await other.fetch('/v1/pets?limit=100')).pets.at(-1)).toEqual(pet)
    }
  })

  test('make one animal of concurrent requests with one idempotency key; every answer is that animal or a 409', async () => {
    const answers = await inTurn(40, instance => instance.post(petJson({}), { 'Idempotency-Key': 'one' }))
    const added = answers.filter(({ status }) => status === 201)
    const refused = answers.filter(({ status }) => status !== 201)
    expect(new Set(added.map(({ text }) => text)).size).toBe(1)
    expect(added.filter(({ headers }) => !headers.has('idempotent-replayed'))).toHaveLength(1)
    for (const { failure } of refused) expect(failure).toBe('409 idempotency_in_progress')
  })

  test('refuse a revoked key within 5 seconds', async () => {
    const { databaseUrl } = service().options
    const key = await addKey(databaseUrl, 'leaver')
    const statuses = () => inTurn(2, async instance => (await instance.fetch('/v1/pets', { key })).status)
    expect(await statuses()).toEqual([200, 200])
    const { code } = await petstore(['keys', 'revoke', 'leaver', '--yes'], { DATABASE_URL: databaseUrl })
    expect(code).toBe(0)
    const areRefused = async () => (await statuses()).every(status => status === 401) || undefined
    await eventually('both refuse', areRefused, 5000)
  })
})
