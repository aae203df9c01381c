import { afterAll, beforeAll, expect, test } from 'bun:test'
import { petJson } from '../support/http.ts'
import { atOnce, eventually, isPending, petstore } from '../support/process.ts'
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
    atOnce(count, n => ask(next(), n))

  /** Keeps paging like a client that follows a growing store, until no more come; returns the identifiers that it saw. */
  async function follow(filter: string, adding: Promise<unknown>): Promise<bigint[]> {
    const seen: bigint[] = []
    for (let target = `/v1/pets?${filter}`, late = 0; ; ) {
      const wasOver = !isPending(adding)
      const answer = await next().fetch(target)
      // On a machine that stalls, a connection may come too late.
      if (answer.status === 503 && late++ < 3) continue
      // The last page has no link, so it is requested again.
      const ids = answer.pets.map(({ id }) => id).filter(id => id > (seen.at(-1) ?? 0n))
      seen.push(...ids)
      const following = answer.link('next')
      if (wasOver && following === undefined) return seen
      target = following ?? target
    }
  }

  test('give no identifier twice, and whoever pages on both while they add sees every animal once, in order', async () => {
    const adding = inTurn(20, async instance => {
      const ids: bigint[] = []
      for (let n = 0; n < 50; n++) ids.push((await instance.add({ status: 'sold' })).id)
      return ids
    })
    const filters = ['limit=7', 'limit=11', 'limit=5&status=sold']
    const following = filters.map(filter => follow(filter, adding))
    const inOrder = (await adding).flat().toSorted((one, another) => Number(one - another))
    for (const seen of await Promise.all(following))
      expect(seen.filter(id => id >= (inOrder[0] ?? 0n))).toEqual(inOrder)
  })

  test('show at once what the other added', async () => {
    // Twice, because the second time the other one has a last page in its cache.
    for (const name of ['here', 'there']) {
      const pet = await service().add({ name, status: 'pending' })
      expect((await other.fetch(`/v1/pets/${pet.id}`)).pet).toEqual(pet)
      expect((await other.fetch('/v1/pets?status=pending')).pets.at(-1)).toEqual(pet)
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
