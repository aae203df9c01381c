import { expect, test } from 'bun:test'
import { petJson } from '../support/http.ts'
import { freshPostgresUrl } from '../support/postgres.ts'
import { type Service, startService } from '../support/service.ts'

const INSTANCES = 3
const WRITERS_EACH = 8
const ANIMALS_EACH = 60

/** Keeps paging like a client that follows a growing store, until the end comes and no more follow; returns what it saw. */
async function follow(service: Service, query: string, isLast: () => boolean): Promise<bigint[]> {
  const seen: bigint[] = []
  for (let target = `/v1/pets?${query}`; ; ) {
    const wasLast = isLast()
    const answer = await service.fetch(target)
    expect(answer.status).toBe(200)
    // The last page has no link, so it is requested again.
    const ids = answer.pets.map(({ id }) => id).filter(id => id > (seen.at(-1) ?? 0n))
    seen.push(...ids)
    target = answer.link('next') ?? target
    if (wasLast && ids.length === 0) return seen
  }
}

test('while three instances add animals, clients that page on each of them see every animal once, in order', async () => {
  const databaseUrl = await freshPostgresUrl()
  const instances = await Promise.all(Array.from({ length: INSTANCES }, () => startService({ databaseUrl })))
  let isOver = false
  const isLast = () => isOver
  const following = Promise.all([
    ...instances.map(instance => follow(instance, 'limit=7', isLast)),
    follow(instances[0] as Service, 'limit=5&status=pending', isLast),
  ])
  const added: bigint[] = []
  const write = async (instance: Service): Promise<void> => {
    for (let n = 0; n < ANIMALS_EACH; n++)
      added.push((await instance.post(petJson({ name: `n${n}`, status: 'pending' }))).pet.id)
  }
  await Promise.all(
    instances.flatMap(instance => Array.from({ length: WRITERS_EACH }, () => write(instance))),
  )
  isOver = true
  expect(added).toHaveLength(INSTANCES * WRITERS_EACH * ANIMALS_EACH)
  const inOrder = added.toSorted((one, other) => Number(one - other))
  for (const seen of await following) expect(seen).toEqual(inOrder)
  expect(await Promise.all(instances.map(instance => instance.stop()))).toEqual([0, 0, 0])
})
