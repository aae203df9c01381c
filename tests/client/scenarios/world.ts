import assert from 'node:assert/strict'
import type * as client from '../../../client/src/index.ts'

/** The client, from its sources or as its users install it, and the real service. */
export interface World {
  readonly client: typeof client
  readonly baseUrl: string
  readonly apiKey: string
}

export type Scenarios = Readonly<Record<string, (world: World) => Promise<void>>>

export const API_KEY = 'scenario-key-0123456789'
export const NEW_PET = { name: 'Rex', categoryId: 7 }
/** How many animals are pending: only those that `addManyPending` adds. */
export const MANY = 250

export const storeOf = <Mode extends client.Int64Mode = 'bigint'>(
  { client, apiKey, baseUrl }: World,
  options: client.PetstoreOptions<Mode> = {},
): client.Petstore<Mode> => new client.Petstore({ apiKey, baseUrl, onDeprecated: () => {}, ...options })

export async function errorOf(call: PromiseLike<unknown>): Promise<client.PetstoreError> {
  try {
    await call
  } catch (error) {
    return error as client.PetstoreError
  }
  assert.fail('The call should have failed.')
}

/** The runtime's fetch, with a record of the requested addresses. */
export function countingFetch() {
  const asked: string[] = []
  return {
    asked,
    fetch: (url: string, init: RequestInit): Promise<Response> => {
      asked.push(url)
      return fetch(url, init)
    },
  }
}

export async function addManyPending(baseUrl: string, apiKey: string): Promise<void> {
  const headers = { Authorization: `Bearer ${apiKey}`, 'Content-Type': 'application/json' }
  for (let n = 0; n < MANY; n++) {
    const body = `{"name":"${n}","categoryId":1,"status":"pending"}`
    assert.equal((await fetch(`${baseUrl}/pets`, { method: 'POST', headers, body })).status, 201)
  }
}

export async function elapsedMs(work: () => PromiseLike<unknown>): Promise<number> {
  const started = performance.now()
  await work()
  return performance.now() - started
}
