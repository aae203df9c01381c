import { join } from 'node:path'
import { API_KEY } from '../../tests/support/http.ts'
import { freePort, listens } from '../../tests/support/process.ts'
import { Beside } from '../../tests/support/programs.ts'
import { ROOT } from '../command.ts'
import type { Project } from './tools.ts'

const OPENAPI = join(ROOT, 'openapi.json')
/** Compiles only if the type of a code is open, for codes of later releases. */
const USE = `import createClient from 'openapi-fetch'
import type { paths } from './schema.ts'
const [baseUrl = '', key] = process.argv.slice(2)
const client = createClient<paths>({ baseUrl, headers: { Authorization: 'Bearer ' + key } })
const added = await client.POST('/pets', { body: { name: 'Rex', categoryId: 7 } })
const got = await client.GET('/pets/{petId}', { params: { path: { petId: added.data?.id ?? 0 } } })
const refused = (await client.GET('/pets', { params: { query: { limit: 0 } } })).error
if (refused?.status !== 400) throw new Error('A limit of 0 must be refused')
const known: Record<string, boolean> = { invalid_query: true }
const code = refused.code
if (!known[code] || code === 'of_a_later_release' || got.data?.name !== 'Rex') throw new Error(code)
declare const process: { argv: string[] }
`

const STRICT =
  '--noEmit --strict --target esnext --lib esnext,dom,dom.iterable --module preserve --allowImportingTsExtensions --skipLibCheck'

/** A client in TypeScript that adds, gets and is refused. */
export async function generate(url: string, { folder, run }: Project): Promise<void> {
  await run('openapi-typescript', OPENAPI, '--output', 'schema.ts')
  await Bun.write(join(folder, 'use.ts'), USE)
  await run('tsc', ...STRICT.split(' '), 'use.ts')
  await run(process.execPath, 'use.ts', `${url}/v1`, API_KEY)
}

const KEY = { Authorization: `Bearer ${API_KEY}` }
const post = (body: string, type = 'application/json'): RequestInit => ({
  method: 'POST',
  headers: { ...KEY, 'Content-Type': type },
  body,
})

/** Requests to a mock. It prefers the 422 of any operation that has one for an invalid body; the service returns 400. */
const EXPECTED: readonly [target: string, answer: string, options: RequestInit][] = [
  ['/pets', '201', post('{"name":"Rex","categoryId":7}')],
  ['/pets', '415 unsupported_media_type', post('x', 'text/plain')],
  ['/pets', '200', { headers: KEY }],
  ['/pets?limit=0', '400 invalid_query', { headers: KEY }],
  ['/pets/1', '200', { headers: KEY }],
  ['/pets', '401 missing_api_key', {}],
  ['/pets', '422 idempotency_key_reused', post('{}')],
]

export async function mock({ folder }: Project): Promise<void> {
  const port = freePort()
  const prism = join(folder, 'node_modules/.bin/prism')
  const server = new Beside(['node', prism, 'mock', OPENAPI, '--port', String(port)])
  try {
    await server.until('It listens', () => listens(port))
    for (const [target, expected, options] of EXPECTED) {
      const response = await fetch(`http://127.0.0.1:${port}${target}`, options)
      const { code = '' } = (await response.json()) as { code?: string }
      const found = `${response.status} ${code}`.trim()
      if (found !== expected) throw new Error(`${target} → ${found}, not ${expected}`)
    }
  } finally {
    await server.stop()
  }
}

/** Checks deploy/kubernetes.yaml: the validators know formats and required fields, and the compiler refuses unknown fields. */
export async function checkManifest({ folder, run }: Project): Promise<void> {
  const text = await Bun.file(join(ROOT, 'deploy/kubernetes.yaml')).text()
  const objects = Bun.YAML.parse(text) as { readonly kind: string }[]
  const checks = objects.map(
    (each, n) =>
      `const object${n}: I${each.kind} = ${JSON.stringify(each)}\nnew ${each.kind}(object${n}).validate()\n`,
  )
  const imports = `import { Deployment, type IDeployment } from 'kubernetes-models/apps/v1'
import { type ISecret, type IService, Secret, Service } from 'kubernetes-models/v1'\n`
  await Bun.write(join(folder, 'manifest.ts'), imports + checks.join(''))
  await run('tsc', '--noEmit', '--strict', '--skipLibCheck', '--module', 'nodenext', 'manifest.ts')
  await run(process.execPath, 'manifest.ts')
}
