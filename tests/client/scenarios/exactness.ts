import assert from 'node:assert/strict'
import { ok, withServer } from './scripted-server.ts'
import { API_KEY, errorOf, type Scenario, storeOf } from './world.ts'

const EDGES = [
  -(2n ** 63n),
  -(2n ** 53n) - 1n,
  -(2n ** 53n),
  -(2 ** 53 - 1),
  -1,
  0,
  7,
  2 ** 53 - 1,
  2n ** 53n,
  2n ** 53n + 1n,
  2n ** 63n - 1n,
]

const TRICKY_NAMES = [
  '12345678901234567890',
  'say "9223372036854775807"',
  '\\"9223372036854775807\\',
  '{"":"9223372036854775807"}',
  ': 9223372036854775807,',
  'é🐈\u2028\n\t9007199254740993',
]

export const exactness: Record<string, Scenario> = {
  'every int64 comes back exact, in the one type of the client': async world => {
    const { pets } = storeOf(world)
    const { pets: texts } = storeOf(world, { int64: 'string' })
    for (const categoryId of EDGES) {
      const { id, ...pet } = await pets.create({ name: 'Edge', categoryId, status: 'sold' })
      assert.deepEqual(pet, { name: 'Edge', categoryId: BigInt(categoryId), status: 'sold' })
      assert.equal(typeof id, 'bigint')
      assert.equal((await pets.get(id)).categoryId, BigInt(categoryId))
      const text = await texts.get(`${id}`)
      assert.deepEqual([text.id, text.categoryId], [`${id}`, `${categoryId}`])
      assert.equal(
        (await texts.create({ name: 'Again', categoryId: text.categoryId })).categoryId,
        `${categoryId}`,
      )
    }
    const listed = new Set<bigint>()
    for await (const { categoryId } of pets.list({ status: 'sold' })) listed.add(categoryId)
    for (const categoryId of EDGES) assert.ok(listed.has(BigInt(categoryId)), `${categoryId} is not listed`)
  },

  'numbers are exact or an error that says so, and carries what a repeat needs': async world => {
    const { pets } = storeOf(world, { int64: 'number' })
    const pet = await pets.create({ name: 'Small', categoryId: 2 ** 53 - 1 })
    assert.deepEqual([typeof pet.id, pet.categoryId], ['number', 2 ** 53 - 1])
    for (const categoryId of [2n ** 53n, -(2n ** 63n)]) {
      const error = await errorOf(pets.create({ name: 'Large', categoryId }))
      assert.ok(error instanceof world.client.InexactNumberError)
      assert.equal(error.status, 201)
      assert.ok(error.idempotencyKey && error.message.includes(`${categoryId}`))
    }
  },

  'an animal is printed and parsed exactly': async world => {
    const { parsePet, stringifyPet } = world.client
    for (const name of TRICKY_NAMES) {
      const pet = { id: 2n ** 63n - 1n, name, categoryId: -(2n ** 63n), status: 'sold' } as const
      const json = stringifyPet(pet)
      assert.deepEqual(parsePet(json), pet)
      assert.equal(stringifyPet(parsePet(json, 'string')), json)
      assert.throws(() => parsePet(json, 'number'), RangeError)
    }
    const small = '{"id":5,"name":"Rex","categoryId":-0,"status":"sold"}'
    assert.deepEqual(parsePet(small, 'number'), { id: 5, name: 'Rex', categoryId: 0, status: 'sold' })
    for (const json of ['[]', '{}', 'null', '7', small.replace('5', '"5"'), small.replace('5', '5.5')])
      assert.throws(() => parsePet(json), TypeError, json)
    assert.throws(() => parsePet(small.replace('5', '9007199254740993.0')), TypeError)
    assert.throws(() => parsePet('{'), SyntaxError)
  },

  'what a caller passes becomes JSON by the rules of JSON.stringify': async world => {
    const { stringifyPet } = world.client
    const odd = { name: 'Rex', categoryId: 7n, status: undefined, run: () => 1, born: new Date(0), x: [null] }
    assert.equal(
      stringifyPet(odd),
      '{"name":"Rex","categoryId":7,"born":"1970-01-01T00:00:00.000Z","x":[null]}',
    )
    class Row {
      toJSON() {
        return { name: 'Max', categoryId: '9007199254740993' }
      }
    }
    assert.equal(stringifyPet(new Row() as never), '{"name":"Max","categoryId":9007199254740993}')
  },

  'names full of digits, quotes and escapes are left alone': async world => {
    const { pets } = storeOf(world)
    for (const name of TRICKY_NAMES) {
      const pet = await pets.create({ name, categoryId: 2n ** 63n - 1n })
      assert.equal(pet.name, name)
      assert.equal((await pets.get(pet.id)).name, name)
    }
  },

  'identifiers beyond 2^53 are exact in answers and in addresses': world =>
    withServer(
      [ok('{"id":9007199254740993,"name":"Rex","categoryId":-9007199254740993,"status":"sold"}')],
      async server => {
        const { pets } = storeOf(world, { baseUrl: server.baseUrl, apiKey: API_KEY })
        const pet = await pets.get(2n ** 63n - 1n)
        assert.equal(pet.id, 9007199254740993n)
        assert.equal(pet.categoryId, -9007199254740993n)
        assert.equal(server.asked[0]?.target, '/v1/pets/9223372036854775807')
      },
    ),

  'a number that may have lost digits is refused before it is sent': async world => {
    const { pets } = storeOf(world)
    for (const value of [2 ** 53, -(2 ** 60), 1.5, Number.NaN, '1.5', '', ' 1', '0x1', '01']) {
      assert.ok((await errorOf(pets.get(value))) instanceof RangeError)
      assert.ok((await errorOf(pets.create({ name: 'Rex', categoryId: value }))) instanceof RangeError)
    }
    assert.equal(
      (await errorOf(pets.get('abc'))).message,
      'id must be an integer, as a bigint, a safe number or plain decimal digits, not "abc".',
    )
  },

  'a bigint beyond int64 is refused by the service, not rounded': async world => {
    const error = await errorOf(storeOf(world).pets.create({ name: 'Rex', categoryId: 2n ** 63n }))
    assert.equal(error.code, 'invalid_body')
  },
}
