import assert from 'node:assert/strict'
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
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

interface Asked {
  readonly target: string
  readonly headers: IncomingHttpHeaders
  readonly at: number
}

export type Line = (response: ServerResponse) => void

/** A server that answers by the script, then repeats its last line. It ends with the process. */
export async function scripted(...script: Line[]): Promise<{ baseUrl: string; asked: Asked[] }> {
  const asked: Asked[] = []
  const server = createServer((request, response) => {
    const line = script[Math.min(asked.length, script.length - 1)]
    const { url: target = '', headers } = request
    asked.push({ target, headers, at: performance.now() })
    request.resume().on('end', () => line?.(response))
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  server.unref()
  return { baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`, asked }
}

export const REQUEST_ID = 'scripted-request'

export const answer =
  (status: number, body: string, headers: Record<string, string> = {}): Line =>
  response => {
    response.writeHead(status, { 'Content-Type': 'application/json', 'X-Request-Id': REQUEST_ID, ...headers })
    response.end(body)
  }
export const ok = (body: string, headers?: Record<string, string>): Line => answer(200, body, headers)
export const added: Line = answer(201, '{"id":1,"name":"Rex","categoryId":7,"status":"available"}')
export const failure = (status: number, code: string, headers?: Record<string, string>): Line =>
  answer(status, JSON.stringify({ code, message: `Scripted ${code}.`, status }), headers)
export const html = (status: number, headers?: Record<string, string>): Line =>
  answer(status, '<html>', { 'Content-Type': 'text/html', ...headers })
export const silence: Line = () => {}
export const halfAnAnswer: Line = response => {
  response.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': '1000' })
  response.write('[{"id":1')
}
/** Breaks the connection in the middle of the response. */
export const cutShort: Line = response => {
  response.writeHead(201, { 'Content-Type': 'application/json', 'Content-Length': '1000' })
  response.write('{"id":1,"name"', () => response.destroy())
}
