import { appendFileSync } from 'node:fs'
import '../../tests/support/setup.ts'
import type { Recorded } from './prism.ts'

/** Preloaded by `bun test`: appends every request to an operation, and its answer, to the file that PETSTORE_RECORD names. */
const OPERATION = /^(?:(?:GET|POST) \/pets(?:\?.*)?|GET \/pets\/[^/?]+)$/
/** Of a connection, not of an answer. */
const HOPS = ['connection', 'content-length', 'date', 'keep-alive', 'transfer-encoding']
const send = globalThis.fetch

async function recorded(...[input, init]: Parameters<typeof fetch>): Promise<Response> {
  const response = await send(input, init)
  const { method = 'GET', headers, body } = init ?? {}
  const { pathname, search } = new URL(input instanceof Request ? input.url : input)
  const target = pathname.replace(/^\/v1/, '') + search
  if (pathname.startsWith('/v1') && OPERATION.test(`${method} ${target}`)) {
    const answered = [...response.headers].filter(([name]) => !HOPS.includes(name))
    const entry: Recorded = {
      method,
      target,
      headers: Object.fromEntries(new Headers(headers)),
      body: typeof body === 'string' ? body : undefined,
      answer: {
        status: response.status,
        headers: Object.fromEntries(answered),
        text: await response.clone().text(),
      },
    }
    appendFileSync(process.env.PETSTORE_RECORD ?? '', `${JSON.stringify(entry)}\n`)
  }
  return response
}

globalThis.fetch = Object.assign(recorded, send)
