import assert from 'node:assert/strict'
import type { Deprecation } from '../../../client/src/index.ts'
import { OPERATIONS } from '../../../src/contract/operations.ts'
import { ok, withServer } from './scripted-server.ts'
import { API_KEY, errorOf, type Scenario, storeOf } from './world.ts'

function withVariables(variables: Record<string, string>, use: () => void): void {
  Object.assign(process.env, variables)
  try {
    use()
  } finally {
    for (const name of Object.keys(variables)) delete process.env[name]
  }
}

export const settings: Record<string, Scenario> = {
  'a deprecated operation is announced once, errors included, and no other is': async world => {
    const { since, sunset } = OPERATIONS.getPet.deprecated
    const told: Deprecation[] = []
    const { pets } = storeOf(world, { onDeprecated: deprecation => told.push(deprecation) })
    const { id } = await pets.create({ name: 'Rex', categoryId: 7 })
    await pets.list()
    assert.deepEqual(told, [])
    await errorOf(pets.get(2n ** 62n))
    await pets.get(id)
    assert.deepEqual(told, [{ operation: 'getPet', since, sunset }])
  },

  'key and address come from the environment when they are not given': world =>
    withServer([ok('[]')], async ({ baseUrl, asked }) => {
      let store = storeOf(world)
      withVariables({ PETSTORE_API_KEY: API_KEY, PETSTORE_BASE_URL: `${baseUrl}/` }, () => {
        store = new world.client.Petstore()
      })
      await store.pets.list()
      assert.equal(asked[0]?.target, '/v1/pets')
      assert.equal(asked[0]?.headers.authorization, `Bearer ${API_KEY}`)
    }),

  'a missing key is refused when the client is made': async world => {
    assert.throws(() => new world.client.Petstore({ baseUrl: world.baseUrl }), TypeError)
  },
}
