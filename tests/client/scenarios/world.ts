import assert from 'node:assert/strict'
import type * as client from '../../../client/src/index.ts'

/** The packed package, installed as a user would, and the real service. */
export interface World {
  readonly client: typeof client
  readonly baseUrl: string
  readonly apiKey: string
}

export type Scenario = (world: World) => Promise<void>

export const API_KEY = 'scenario-key-0123456789'

export const storeOf = <Mode extends client.Int64Mode = 'bigint'>(
  world: World,
  options: client.PetstoreOptions<Mode> = {},
): client.Petstore<Mode> =>
  new world.client.Petstore({ apiKey: world.apiKey, baseUrl: world.baseUrl, logLevel: 'error', ...options })

export const NEW_PET = { name: 'Rex', categoryId: 7 }

export async function errorOf(call: PromiseLike<unknown>): Promise<client.PetstoreError> {
  try {
    await call
  } catch (error) {
    return error as client.PetstoreError
  }
  assert.fail('The call should have failed.')
}

/** The runtime's fetch, with a record of the requested addresses. */
export function countingFetch(): {
  asked: string[]
  fetch: (url: string, init: RequestInit) => Promise<Response>
} {
  const asked: string[] = []
  return {
    asked,
    fetch: (url, init) => {
      asked.push(url)
      return fetch(url, init)
    },
  }
}

/** How many animals are pending: only those that `addManyPending` adds. */
export const MANY = 250

export async function addManyPending(baseUrl: string, apiKey: string): Promise<void> {
  let next = 0
  const add = async () => {
    while (next < MANY) {
      const { status } = await fetch(`${baseUrl}/pets`, {
        method: 'POST',
        headers: { Authorization: `Bearer ${apiKey}`, 'Content-Type': 'application/json' },
        body: `{"name":"${next++}","categoryId":1,"status":"pending"}`,
      })
      assert.equal(status, 201)
    }
  }
  await Promise.all(Array.from({ length: 16 }, add))
}

export async function elapsedMs(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now()
  await work()
  return performance.now() - started
}
