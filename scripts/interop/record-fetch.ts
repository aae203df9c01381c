import { appendFileSync } from 'node:fs'
import '../../tests/support/setup.ts'
import type { Recorded } from './prism.ts'

/** Preloaded by `bun test`: appends every answer of an operation to the file that PETSTORE_RECORD names. */
const OPERATION = /^(?:(?:GET|POST) \/v1\/pets|GET \/v1\/pets\/[^/]+)$/
/** Of a connection, not of an answer. */
const HOPS = ['connection', 'content-length', 'date', 'keep-alive', 'transfer-encoding']
const send = globalThis.fetch

async function recorded(...[input, init]: Parameters<typeof fetch>): Promise<Response> {
  const response = await send(input, init)
  const { method = 'GET' } = init ?? {}
  const { pathname } = new URL(input instanceof Request ? input.url : input)
  if (!OPERATION.test(`${method} ${pathname}`)) return response
  const headers = [...response.headers].filter(([name]) => !HOPS.includes(name))
  const text = await response.clone().text()
  const entry: Recorded = {
    method,
    path: pathname === '/v1/pets' ? '/pets' : '/pets/1',
    answer: { status: response.status, headers: Object.fromEntries(headers), text },
  }
  appendFileSync(process.env.PETSTORE_RECORD ?? '', `${JSON.stringify(entry)}\n`)
  return response
}

globalThis.fetch = Object.assign(recorded, send)
