import assert from 'node:assert/strict'
import type { PetstoreError } from '../../../client/src/index.ts'
import { ok, withServer } from './scripted-server.ts'
import { countingFetch, type Scenario, storeOf } from './world.ts'

/** Only the 10 000 animals that the test puts there are pending. */
const MANY = { status: 'pending' } as const

export const paging: Record<string, Scenario> = {
  'an iteration sees 10 000 animals, each once and in order, with 100 requests': async world => {
    const { asked, fetch } = countingFetch()
    const numbers: number[] = []
    let last: number | bigint = 0
    for await (const { id, name, status } of storeOf(world, { fetch }).pets.list(MANY)) {
      assert.ok(id > last)
      assert.equal(status, MANY.status)
      last = id
      numbers.push(Number(name))
    }
    assert.deepEqual(
      numbers.toSorted((a, b) => a - b),
      Array.from({ length: 10_000 }, (_, index) => index),
    )
    assert.equal(asked.length, 100)
  },

  'pages can be turned by hand, and the last one has no next': async world => {
    let page = await storeOf(world).pets.list({ ...MANY, limit: 99 })
    const sizes = [page.items.length]
    for (let next = await page.next(); next; next = await page.next()) {
      page = next
      sizes.push(page.items.length)
    }
    assert.deepEqual(sizes, [...Array.from({ length: 101 }, () => 99), 1])
    assert.equal(page.hasNext, false)
  },

  'a list goes on where a cursor that was kept says': async world => {
    const { pets } = storeOf(world)
    const first = await pets.list({ ...MANY, limit: 3 })
    const second = await first.next()
    assert.ok(first.nextCursor)
    assert.deepEqual((await pets.list({ ...MANY, limit: 3, cursor: first.nextCursor })).items, second?.items)
    for await (const { id } of pets.list({ ...MANY, cursor: first.nextCursor })) {
      assert.equal(id, second?.items[0]?.id)
      break
    }
    assert.equal((await pets.list({ status: 'sold', limit: 100 })).nextCursor, undefined)
  },

  'nothing is asked for ahead of its use': async world => {
    const { asked, fetch } = countingFetch()
    const { pets } = storeOf(world, { fetch })
    const list = pets.list(MANY)
    assert.equal(asked.length, 0)
    for await (const _first of list) break
    assert.equal(asked.length, 1)
    const page = await list
    assert.equal((await list).items, page.items)
    assert.equal(asked.length, 2)
    assert.equal(page.items.length, 20)
    assert.ok(page.hasNext)
  },

  'a list is a promise in every way': async world => {
    const { pets } = storeOf(world, { maxRetries: 0 })
    const seen: string[] = []
    await pets.list().finally(() => seen.push('finally'))
    await pets.list({ limit: 0 }).catch(error => seen.push((error as PetstoreError).code))
    const [page] = await Promise.all([pets.list({ limit: 1 })])
    assert.equal(page.items.length, 1)
    assert.deepEqual(seen, ['finally', 'invalid_query'])
  },

  'the next page is asked of the same server, wherever its link points': world =>
    withServer(
      [ok('[]', { Link: '<http://elsewhere.invalid/v1/pets?cursor=abc>; rel="next"' }), ok('[]')],
      async server => {
        const { asked, fetch } = countingFetch()
        const page = await storeOf(world, { baseUrl: server.baseUrl, fetch }).pets.list()
        assert.equal((await page.next())?.hasNext, false)
        assert.deepEqual(asked, [`${server.baseUrl}/pets`, `${server.baseUrl}/pets?cursor=abc`])
      },
    ),
}
