import assert from 'node:assert/strict'
import { failure, ok, REQUEST_ID, scripted } from './scripted.ts'
import { countingFetch, errorOf, MANY, NEW_PET, type Scenarios, storeOf } from './world.ts'

const [LEAST, MOST] = [-(2n ** 63n), 2n ** 63n - 1n]
const EDGES = [LEAST, `${LEAST}`, -(2n ** 53n) - 1n, 1 - 2 ** 53, 0, '0', 2 ** 53 - 1, 2n ** 53n + 1n, MOST]
const TRICKY_NAMES = ['12345678901234567890', '\\"9223372036854775807\\', 'é🐈\u2028\n\t9007199254740993']
const PET = '{"id":1,"name":"Rex","categoryId":7,"status":"sold"}'
const PENDING = { status: 'pending' } as const

export const animals: Scenarios = {
  'every int64 comes back exact, in the one type of the client': async world => {
    const { pets } = storeOf(world)
    const { pets: texts } = storeOf(world, { int64: 'string' })
    for (const categoryId of EDGES) {
      const { id, ...pet } = await pets.create({ name: 'Edge', categoryId, status: 'sold' })
      assert.deepEqual(pet, { name: 'Edge', categoryId: BigInt(categoryId), status: 'sold' })
      assert.equal((await pets.get(id)).categoryId, BigInt(categoryId))
      const text = await texts.get(`${id}`)
      assert.deepEqual([text.id, text.categoryId], [`${id}`, `${categoryId}`])
    }
    const listed = (await pets.list({ status: 'sold' }).toArray()).map(({ categoryId }) => categoryId)
    for (const categoryId of EDGES)
      assert.ok(listed.includes(BigInt(categoryId)), `${categoryId} is not listed`)
    const { baseUrl, asked } = await scripted(ok(PET.replace('1', '9007199254740993')))
    assert.equal((await storeOf(world, { baseUrl }).pets.get(2n ** 63n - 1n)).id, 9007199254740993n)
    assert.equal(asked[0]?.target, '/v1/pets/9223372036854775807')
  },

  'an integer that may have lost digits is refused before anything is sent': async world => {
    const { pets } = storeOf(world)
    for (const value of [2 ** 53, 1.5, Number.NaN, '1.5', '', ' 1', '0x1', '01', '-0']) {
      assert.ok((await errorOf(pets.get(value))) instanceof RangeError)
      assert.ok((await errorOf(pets.create({ name: 'Rex', categoryId: value }))) instanceof RangeError)
    }
  },

  'an animal is printed and parsed exactly': async world => {
    const { parsePet, stringifyPet } = world.client
    for (const name of TRICKY_NAMES) {
      const pet = { id: 2n ** 63n - 1n, name, categoryId: -(2n ** 63n), status: 'sold' } as const
      const json = stringifyPet(pet)
      assert.deepEqual(parsePet(json), pet)
      assert.equal(stringifyPet(parsePet(json, 'string')), json)
      assert.equal((await storeOf(world).pets.create({ name, categoryId: 2n ** 63n - 1n })).name, name)
    }
    for (const json of ['[]', '{}', 'null', '7', PET.replace('1', '"1"'), PET.replace('1', '1.5')])
      assert.throws(() => parsePet(json), TypeError, json)
    assert.throws(() => parsePet('{'), SyntaxError)
    const odd = {
      name: 'Rex',
      categoryId: 7n,
      status: undefined,
      run: () => 1,
      born: new Date(0),
      x: [null],
      // An integer beyond what a number can hold.
      age: 2n ** 60n,
    }
    const json =
      '{"name":"Rex","categoryId":7,"born":"1970-01-01T00:00:00.000Z","x":[null],"age":1152921504606846976}'
    assert.equal(stringifyPet(odd), json)
  },

  'every animal that the contract permits is read: no status, another one, fields of a later release':
    async world => {
      const bodies = [
        PET.replace(',"status":"sold"', ''),
        PET.replace('sold', 'other'),
        PET.replace('}', ',"age":9007199254740993}'),
      ]
      const { baseUrl } = await scripted(...bodies.map(body => ok(body)), ok(`[${bodies}]`))
      const { pets } = storeOf(world, { baseUrl })
      const rex = { id: 1n, name: 'Rex', categoryId: 7n }
      const expected = [rex, { ...rex, status: 'other' }, { ...rex, status: 'sold', age: 9007199254740993n }]
      assert.deepEqual([await pets.get(1), await pets.get(1), await pets.get(1)], expected)
      assert.deepEqual((await pets.list()).items, expected)
    },

  'a 2xx that is not of the promised shape is told from one that is, and shown': async world => {
    const wrong = ['"1"', '1.5', '9223372036854775808'].map(id => PET.replace('1', id))
    wrong.push(PET.replace('"Rex"', 'null'), PET.replace('7', '{}'), '7', 'null', '{}')
    for (const body of [...wrong, ...wrong.map(pet => `[${PET},${pet}]`)]) {
      const { baseUrl, asked } = await scripted(ok(body))
      const { pets } = storeOf(world, { baseUrl })
      for (const call of [() => pets.list(), () => pets.create(NEW_PET)]) {
        const error = await errorOf(call())
        assert.ok(error instanceof world.client.UnexpectedAnswerError, body)
        assert.deepEqual([error.status, error.body, error.requestId], [200, body, REQUEST_ID])
      }
      assert.equal(asked.length, 2)
    }
    const { baseUrl, asked } = await scripted(failure(302, 'moved'.padEnd(999), { Location: '/login' }))
    const error = await errorOf(storeOf(world, { baseUrl }).pets.list())
    assert.match(`${error}`, /^UnexpectedAnswerError: .* 302: it did not come from the service\.$/)
    const { status, location, body } = error
    assert.deepEqual([status, location, body?.length, asked.length], [302, '/login', 500, 1])
  },

  'pages are turned by hand, iterated, gathered whole or up to a limit, or gone on with from a cursor':
    async world => {
      const { asked, fetch } = countingFetch()
      const { pets } = storeOf(world, { fetch })
      let page = await pets.list({ ...PENDING, limit: 99 })
      const sizes = [page.items.length]
      for (let next = await page.next(); next; next = await page.next()) {
        page = next
        sizes.push(page.items.length)
      }
      assert.deepEqual([sizes, page.hasNext, page.nextCursor], [[99, 99, 52], false, null])
      for await (const { items } of pets.list({ ...PENDING, limit: 50 }).pages()) {
        assert.equal(items.length, 50)
        break
      }
      for (const limit of [150, 1, 0])
        assert.equal((await pets.list(PENDING).toArray({ limit })).length, limit)
      assert.equal(asked.length, 7)
      const all = (await pets.list(PENDING).toArray()).map(({ name, status }) => `${name} ${status}`)
      const named = Array.from({ length: MANY }, (_, index) => `${index} pending`)
      assert.deepEqual(named, all)
      assert.equal(asked.length, 10)
      const first = await pets.list({ ...PENDING, limit: 3 })
      assert.ok(first.nextCursor)
      const second = await pets.list({ ...PENDING, limit: 3, cursor: first.nextCursor })
      assert.deepEqual(second.items, (await first.next())?.items)
      const rest: string[] = []
      for await (const { name } of await pets.list({ ...PENDING, limit: 100, cursor: first.nextCursor }))
        rest.push(name)
      assert.deepEqual([rest.length, rest[0], rest.at(-1)], [MANY - 3, '3', `${MANY - 1}`])
    },

  'a list requests nothing before it is used, and each page once': async world => {
    const { asked, fetch } = countingFetch()
    const { pets } = storeOf(world, { fetch })
    const list = pets.list(PENDING)
    pets.list(PENDING, { ifNoneMatch: '"any"' })
    assert.equal(asked.length, 0)
    for await (const _first of list) break
    assert.equal(asked.length, 1)
    assert.equal((await list).items, (await list).items)
    assert.equal(asked.length, 2)
  },

  'a create is sent even if nobody awaits it': async world => {
    await new Promise(onResponse => void storeOf(world, { onResponse }).pets.create(NEW_PET))
  },

  'the next page is asked of the same server, wherever its link points': async world => {
    const next = '<http://elsewhere.invalid/v1/pets?limit=1&cursor=a%2Cb>'
    const links = {
      [`${next}; rel=next`]: 'a,b',
      [`<https://x.test/?cursor=no>; rel=prev, ${next} ;title="a";REL="start Next"`]: 'a,b',
      '</v1/pets?cursor=no>; rel="nextish"': null,
    }
    for (const [Link, cursor] of Object.entries(links)) {
      const { baseUrl, asked } = await scripted(ok('[]', { Link }), ok('[]'))
      const page = await storeOf(world, { baseUrl }).pets.list()
      assert.equal(page.nextCursor, cursor, Link)
      await page.next()
      assert.equal(asked[1]?.target, cursor ? '/v1/pets?cursor=a%2Cb' : undefined)
    }
  },

  'a page that names itself as the next one is an error that says at which cursor': async world => {
    const to = (cursor: string) => ok(`[${PET}]`, { Link: `</v1/pets?cursor=${cursor}>; rel="next"` })
    const { baseUrl, asked } = await scripted(to('same'))
    const error = await errorOf(storeOf(world, { baseUrl }).pets.list().toArray())
    assert.ok(error instanceof world.client.UnexpectedAnswerError, `${error}`)
    assert.deepEqual([error.cursor, asked.length], ['same', 2])
    const other = await scripted(to('second'), failure(401, 'invalid_api_key'))
    const later = await errorOf(storeOf(world, { baseUrl: other.baseUrl }).pets.list().toArray())
    assert.equal(later.cursor, 'second')
  },
}
