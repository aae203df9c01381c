import { join } from 'node:path'
import { API_KEY } from '../../tests/support/http.ts'
import { freePort, listens } from '../../tests/support/process.ts'
import { Beside } from '../../tests/support/programs.ts'
import { DESCRIPTION, type Project } from './tools.ts'

const KEY = { Authorization: `Bearer ${API_KEY}` }
const post = (body: string, type = 'application/json'): RequestInit => ({
  method: 'POST',
  headers: { ...KEY, 'Content-Type': type },
  body,
})

/** Requests to a server made from the description. A validator has no codes of ours. */
const EXPECTED: readonly [target: string, answer: string, options: RequestInit][] = [
  ['/pets', '201', post('{"name":"Rex","categoryId":7}')],
  ['/pets', '415 unsupported_media_type', post('x', 'text/plain')],
  ['/pets', '200', { headers: KEY }],
  ['/pets?limit=0', '400 invalid_query', { headers: KEY }],
  ['/pets/1', '200', { headers: KEY }],
  ['/pets', '401 missing_api_key', {}],
]

const VALIDATOR = `import express from 'express'
import { middleware } from 'express-openapi-validator'
const [apiSpec, port] = process.argv.slice(2)
express()
  .use(express.json(), middleware({ apiSpec }))
  .use(({ method }, response) => response.status(method === 'POST' ? 201 : 200).json({}))
  .use((error, _request, response, _next) => response.status(error.status ?? 500).json({}))
  .listen(port, '127.0.0.1')
`

/** Prism prefers the 422 of any operation that has one for an invalid body; the service returns 400. */
export const tryPrism = (project: Project): Promise<string> =>
  serve([project.path('prism'), 'mock', DESCRIPTION, '--port'], '', '422 idempotency_key_reused')

export async function tryValidator({ folder }: Project): Promise<string> {
  const program = join(folder, 'validator.js')
  await Bun.write(program, VALIDATOR)
  return serve([program, DESCRIPTION], '/v1', '400 invalid_body')
}

async function serve(command: readonly string[], base: string, invalidBody: string): Promise<string> {
  const port = freePort()
  const server = new Beside(['node', ...command, String(port)])
  try {
    await server.until('It listens', () => listens(port))
    const found: string[] = []
    for (const [target, expected, options] of [...EXPECTED, ['/pets', invalidBody, post('{}')] as const]) {
      const answer = await fetch(`http://127.0.0.1:${port}${base}${target}`, options)
      const { code = '' } = (await answer.json()) as { code?: string }
      found.push(`${answer.status} ${code}`.trim())
      if (!expected.startsWith(found.at(-1) ?? ''))
        throw new Error(`${target} → ${found.at(-1)}, not ${expected}`)
    }
    return found.join(', ')
  } finally {
    await server.stop()
  }
}
