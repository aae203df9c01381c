import assert from 'node:assert/strict'
import { answer, ok, scripted } from './scripted.ts'
import { countingFetch, errorOf, NEW_PET, type Scenarios, storeOf } from './world.ts'

const HUGE = 2n ** 63n - 1n
const PENDING = { status: 'pending' } as const

export const reads: Scenarios = {
  'a conditional read says that nothing has changed, or returns what has': async world => {
    const { pets } = storeOf(world)
    const { id } = await pets.create(NEW_PET)
    const { data: rex, etag } = await pets.get(id).withResponse()
    assert.match(`${etag}`, /^"[^"]+"$/)
    assert.equal(await pets.get(id, { ifNoneMatch: etag }), world.client.NOT_MODIFIED)
    const { status, data, etag: again } = await pets.get(id, { ifNoneMatch: etag }).withResponse()
    assert.deepEqual([status, data, again], [304, world.client.NOT_MODIFIED, etag])
    for (const ifNoneMatch of ['"other"', 'W/""', undefined])
      assert.deepEqual(await pets.get(id, { ifNoneMatch }), rex)

    const query = { ...PENDING, limit: 3 }
    const first = await pets.list(query).withResponse()
    assert.equal(await pets.list(query, { ifNoneMatch: first.etag }), world.client.NOT_MODIFIED)
    const changed = await pets.list(query, { ifNoneMatch: '"other"' })
    assert.ok(changed !== world.client.NOT_MODIFIED)
    // The tag is of the first page, so it is not sent for the second.
    assert.equal((await changed.next())?.items.length, 3)
    assert.deepEqual((await pets.list(query, { ifNoneMatch: undefined })).items, first.data.items)
  },

  'a 304 that nobody asked for, or with a tag that is none, is refused': async world => {
    const { baseUrl, asked } = await scripted(answer(304, ''))
    const { pets } = storeOf(world, { baseUrl })
    for (const call of [pets.get(1), pets.list({}, { headers: { 'If-None-Match': '"one"' } })])
      assert.match((await errorOf(call)).message, /304: .*use the option ifNoneMatch/)
    assert.equal(asked.length, 2)
    for (const ifNoneMatch of ['one', '', '"a', 'a\nb', 7, null] as string[])
      assert.match((await errorOf(pets.get(1, { ifNoneMatch }))).message, /^ifNoneMatch must/)
    assert.equal(asked.length, 2)
    const empty = await scripted(answer(204, ''), ok('[]'))
    const page = await storeOf(world, { baseUrl: empty.baseUrl }).pets.list({}, { ifNoneMatch: '"one"' })
    assert.ok(typeof page === 'object' && empty.asked.length === 2)
  },

  'a list with a cursor that is none does not start over in silence': async world => {
    const { asked, fetch } = countingFetch()
    const { pets } = storeOf(world, { fetch })
    for (const cursor of [null, 7] as never[])
      for (const call of [() => pets.list({ cursor }), () => pets.list({ cursor }).toArray()]) {
        const error = await errorOf(call())
        assert.ok(error instanceof TypeError && /^cursor must .*be omitted/.test(error.message), `${error}`)
      }
    assert.equal(asked.length, 0)
    for (const link of ['</v1/pets>; rel="next"', '</v1/pets?cursor=>; rel="next"']) {
      const without = await scripted(ok('[]', { Link: link }))
      const { code } = await errorOf(storeOf(world, { baseUrl: without.baseUrl }).pets.list().toArray())
      assert.deepEqual([code, without.asked.length], ['unexpected_answer', 1])
    }
  },

  'JSON.stringify writes the exact digits of an animal, and otherwise it is a plain object': async world => {
    const { pets } = storeOf(world)
    const rex = await pets.create({ name: 'Rex', categoryId: HUGE })
    const jsonOf = (id: string, categoryId: string) =>
      `{"id":${id},"name":"Rex","categoryId":${categoryId},"status":"available"}`
    const numbers = jsonOf(`${rex.id}`, `${HUGE}`)
    const strings = jsonOf(`"${rex.id}"`, `"${HUGE}"`)
    const platform = JSON as { rawJSON?: unknown }
    const { rawJSON } = platform
    assert.equal(JSON.stringify({ list: [rex] }), `{"list":[${rawJSON ? numbers : strings}]}`)
    try {
      delete platform.rawJSON
      assert.equal(JSON.stringify(rex), strings)
    } finally {
      if (rawJSON) platform.rawJSON = rawJSON
    }
    assert.equal(world.client.stringifyPet(rex), numbers)
    assert.equal((await pets.create(rex)).categoryId, HUGE)
    const literal = { id: rex.id, name: 'Rex', categoryId: HUGE, status: 'available' }
    for (const same of [rex, structuredClone(rex), { ...rex }]) assert.deepEqual(same, literal)
    assert.deepEqual(Object.keys(rex), Object.keys(literal))
    const texts = await storeOf(world, { int64: 'string' }).pets.get(rex.id)
    assert.equal(JSON.stringify(texts), strings)
  },
}
