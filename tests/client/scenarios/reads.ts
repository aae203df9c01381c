import assert from 'node:assert/strict'
import type { NewPet } from '../../../client/src/index.ts'
import { type Scenarios, storeOf } from './world.ts'

const HUGE = 2n ** 63n - 1n

/** How animals are read again, later, and by other programs. */
export const reads: Scenarios = {
  'JSON.stringify writes the exact digits of an animal, and otherwise it is a plain object': async world => {
    const { pets } = storeOf(world)
    const rex = await pets.create({ name: 'Rex', categoryId: HUGE })
    const small = await pets.create({ name: 'Rex', categoryId: -7 })
    assert.equal(
      JSON.stringify(small),
      `{"id":${small.id},"name":"Rex","categoryId":-7,"status":"available"}`,
    )
    const jsonOf = (digits: string) =>
      `{"id":${rex.id},"name":"Rex","categoryId":${digits},"status":"available"}`
    const platform = JSON as { rawJSON?: unknown }
    const { rawJSON } = platform
    assert.equal(JSON.stringify({ list: [rex] }), `{"list":[${jsonOf(rawJSON ? `${HUGE}` : `"${HUGE}"`)}]}`)
    try {
      delete platform.rawJSON
      assert.equal(JSON.stringify(rex), jsonOf(`"${HUGE}"`))
    } finally {
      if (rawJSON) platform.rawJSON = rawJSON
    }
    assert.equal(world.client.stringifyPet(rex), jsonOf(`${HUGE}`))
    assert.equal((await pets.create(rex as NewPet)).categoryId, HUGE)
    const literal = { id: rex.id, name: 'Rex', categoryId: HUGE, status: 'available' }
    assert.deepEqual(rex, literal)
    assert.deepEqual(structuredClone(rex), literal)
    assert.deepEqual({ ...rex }, literal)
    assert.deepEqual(Object.keys(rex), Object.keys(literal))
    const texts = await storeOf(world, { int64: 'string' }).pets.get(rex.id)
    assert.equal(
      JSON.stringify(texts),
      JSON.stringify({ ...literal, id: `${rex.id}`, categoryId: `${HUGE}` }),
    )
  },
}
