/** The requests of every client (see clients.ts), with Node's fetch or undici. */
import { randomUUID } from 'node:crypto'
import process from 'node:process'

const { PETSTORE_BASE_URL: base, PETSTORE_API_KEY: apiKey } = process.env
const LARGE = 2_600_000
const key = { Authorization: `Bearer ${apiKey}` }
const json = { 'Content-Type': 'application/json' }

async function* chunks() {
  for (let n = 0; n < 26; n++) yield Buffer.alloc(LARGE / 26, ' ')
}

async function withFetch() {
  const send = async (method, path, headers, body) => {
    const signal = AbortSignal.timeout(30_000)
    const answer = await fetch(base + path, { method, headers, body, duplex: 'half', signal })
    await answer.arrayBuffer()
    return { status: answer.status, headers: Object.fromEntries(answer.headers) }
  }
  return { version: process.versions.node, send }
}

async function withUndici() {
  const { request } = await import('undici')
  const { createRequire } = await import('node:module')
  const send = async (method, path, headers, body) => {
    const answer = await request(base + path, { method, headers, body, headersTimeout: 30_000 })
    await answer.body.arrayBuffer()
    return { status: answer.statusCode, headers: answer.headers }
  }
  return { version: createRequire(import.meta.url)('undici/package.json').version, send }
}

const { version, send } = await (process.argv[2] === 'undici' ? withUndici() : withFetch())
const print = (...words) => process.stdout.write(`${words.join(' ')}\n`)

print('version', version)

async function show(what, method, path, headers, body, header) {
  try {
    const answer = await send(method, path, headers, body)
    print(what, answer.status, header ? (answer.headers[header] ?? '') : '')
    return answer.headers
  } catch (problem) {
    print(what, problem.cause?.message ?? problem.message)
    return {}
  }
}

const animal = '{"name":"Rex","categoryId":9007199254740993}'
const once = { ...key, ...json, 'Idempotency-Key': randomUUID() }
const { location = '' } = await show('create', 'POST', '/pets', once, animal)
await show('repeat', 'POST', '/pets', once, animal, 'idempotent-replayed')
await show('list', 'GET', '/pets?limit=1', key)
await show('get', 'GET', location.replace('/v1', ''), key)
await show('refused', 'GET', '/pets?limit=0', key)
for (let n = 0; n < 12; n++) {
  await show('chunked', 'POST', '/pets', json, chunks())
  await show('declared', 'POST', '/pets', { ...key, ...json }, Buffer.alloc(LARGE, ' '))
  await show('after', 'GET', '/pets', key)
}
