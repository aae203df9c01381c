import assert from 'node:assert/strict'
import type { PetstoreError } from '../../../client/src/index.ts'
import { failure, ok, withServer } from './scripted-server.ts'
import { countingFetch, errorOf, MANY, type Scenario, storeOf } from './world.ts'

const ONE = '[{"id":1,"name":"Rex","categoryId":7,"status":"sold"}]'
const PENDING = { status: 'pending' } as const

export const paging: Record<string, Scenario> = {
  'an iteration sees 250 animals, each once and in order, with 3 requests': async world => {
    const { asked, fetch } = countingFetch()
    const numbers: number[] = []
    let last = 0n
    for await (const { id, name, status } of storeOf(world, { fetch }).pets.list(PENDING)) {
      assert.ok(id > last)
      assert.equal(status, PENDING.status)
      last = id
      numbers.push(Number(name))
    }
    assert.deepEqual(
      numbers.toSorted((a, b) => a - b),
      Array.from({ length: MANY }, (_, index) => index),
    )
    assert.equal(asked.length, 3)
  },

  'pages can be turned by hand, and the last one has no next': async world => {
    let page = await storeOf(world).pets.list({ ...PENDING, limit: 99 })
    const sizes = [page.items.length]
    for (let next = await page.next(); next; next = await page.next()) {
      page = next
      sizes.push(page.items.length)
    }
    assert.deepEqual(sizes, [99, 99, 52])
    assert.equal(page.hasNext, false)
  },

  'a list goes on where a cursor that was kept says': async world => {
    const { pets } = storeOf(world)
    const first = await pets.list({ ...PENDING, limit: 3 })
    const second = await first.next()
    assert.ok(first.nextCursor)
    assert.deepEqual(
      (await pets.list({ ...PENDING, limit: 3, cursor: first.nextCursor })).items,
      second?.items,
    )
    for await (const { id } of pets.list({ ...PENDING, cursor: first.nextCursor })) {
      assert.equal(id, second?.items[0]?.id)
      break
    }
    assert.equal((await pets.list({ status: 'sold', limit: 100 })).nextCursor, undefined)
  },

  'nothing is asked for ahead of its use': async world => {
    const { asked, fetch } = countingFetch()
    const { pets } = storeOf(world, { fetch })
    const list = pets.list(PENDING)
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

  'pages can be iterated, and animals gathered up to a limit': async world => {
    const { asked, fetch } = countingFetch()
    const { pets } = storeOf(world, { fetch })
    const sizes: number[] = []
    for await (const { items } of pets.list({ ...PENDING, limit: 50 }).pages()) {
      sizes.push(items.length)
      if (sizes.length === 3) break
    }
    assert.deepEqual(sizes, [50, 50, 50])
    assert.equal((await pets.list(PENDING).toArray({ limit: 150 })).length, 150)
    assert.equal((await pets.list(PENDING).toArray({ limit: 0 })).length, 0)
    assert.equal(asked.length, 5)
    assert.ok((await errorOf(pets.list().toArray({ limit: Number.NaN }))) instanceof TypeError)
  },

  'a link is read as RFC 8288 has it: quoted commas, several relations, any case': async world => {
    const next = '</v1/pets?limit=1&cursor=a%2Cb>'
    const links = {
      [`${next}; rel=next`]: 'a,b',
      [`${next};REL="Next"`]: 'a,b',
      [`${next} ; title="a, <b>; rel=prev \\" x" ; rel="start next"`]: 'a,b',
      [`<https://x.test/?cursor=no>; title="; rel=next"; rel=prev, ${next}; rel = "next"`]: 'a,b',
      '</v1/pets?cursor=no>; rel="prev"; rel="next"': undefined,
      '</v1/pets?cursor=no>; rel="nextish"': undefined,
      '</v1/pets?cursor=no>; title="rel=next"': undefined,
    }
    for (const [Link, cursor] of Object.entries(links))
      await withServer([ok('[]', { Link })], async ({ baseUrl }) => {
        assert.equal((await storeOf(world, { baseUrl }).pets.list()).nextCursor, cursor, Link)
      })
  },

  'a page that names itself as the next one is an error that says at which cursor': async world => {
    const to = (cursor: string) => ok(ONE, { Link: `</v1/pets?cursor=${cursor}>; rel="next"` })
    await withServer([to('same')], async ({ baseUrl, asked }) => {
      const error = await errorOf(storeOf(world, { baseUrl }).pets.list().toArray())
      assert.ok(error instanceof world.client.UnexpectedAnswerError, `${error}`)
      assert.deepEqual([error.cursor, asked.length], ['same', 2])
    })
    await withServer([to('second'), failure(401, 'invalid_api_key')], async ({ baseUrl }) => {
      assert.equal((await errorOf(storeOf(world, { baseUrl }).pets.list().toArray())).cursor, 'second')
    })
  },
}
