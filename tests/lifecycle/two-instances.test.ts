import { afterAll, beforeAll, expect, test } from 'bun:test'
import { petJson } from '../support/http.ts'
import { eventually, petstore } from '../support/process.ts'
import { onEveryEngine, type Service, startService } from '../support/service.ts'
import { addKey } from '../support/store.ts'

onEveryEngine('two instances on one database', service => {
  let turn = 0
  let other: Service
  beforeAll(async () => {
    other = await startService(service().options)
  })
  afterAll(async () => expect(await other.stop()).toBe(0))
  /** Each of them in turn. */
  const next = (): Service => (turn++ % 2 === 0 ? service() : other)
  const inTurn = <T>(count: number, ask: (instance: Service, n: number) => Promise<T>): Promise<T[]> =>
    Promise.all(Array.from({ length: count }, (_, n) => ask(next(), n)))

  test('give no identifier twice, and a page of one leads to the next page on the other', async () => {
    const add = (instance: Service, n: number) =>
      instance.post(petJson({ name: `animal ${n}`, status: 'sold' }))
    const added = await inTurn(60, add)
    for (const answer of added) expect(answer).toHaveStatus(201)
    const names: string[] = []
    for (let target: string | undefined = '/v1/pets?limit=7&status=sold'; target !== undefined; ) {
      const page = await next().fetch(target)
      names.push(...page.pets.map(({ name }) => name))
      target = page.link('next')
    }
    expect(names.toSorted()).toEqual(added.map(({ pet }) => pet.name).toSorted())
  })

  test('show at once what the other added', async () => {
    const { pet } = await next().post(petJson({ name: 'here' }))
    expect((await next().fetch(`/v1/pets/${pet.id}`)).pet).toEqual(pet)
  })

  test('make one animal of concurrent requests with one idempotency key; every answer is that animal or a 409', async () => {
    const answers = await inTurn(40, instance => instance.post(petJson({}), { 'Idempotency-Key': 'one' }))
    const added = answers.filter(({ status }) => status === 201)
    const refused = answers.filter(({ status }) => status !== 201)
    expect(new Set(added.map(({ text }) => text)).size).toBe(1)
    expect(added.filter(({ headers }) => !headers.has('idempotent-replayed'))).toHaveLength(1)
    for (const { failure } of refused) expect(failure).toBe('409 idempotency_in_progress')
  })

  test('refuse a key that was revoked, and go on refusing it', async () => {
    const { databaseUrl } = service().options
    const key = await addKey(databaseUrl, 'short lived')
    const statuses = () => inTurn(4, async instance => (await instance.fetch('/v1/pets', { key })).status)
    expect(await statuses()).toEqual([200, 200, 200, 200])
    const revoked = await petstore(['keys', 'revoke', 'short lived', '--yes'], { DATABASE_URL: databaseUrl })
    expect(revoked.code).toBe(0)
    const areRefused = async () => (await statuses()).every(status => status === 401) || undefined
    await eventually('both refuse', areRefused)
    for (let again = 0; again < 5; again++) expect(await areRefused()).toBe(true)
  })
})
