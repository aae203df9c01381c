import { join } from 'node:path'
import { API_KEY } from '../../tests/support/http.ts'
import { ROOT } from '../command.ts'
import { DESCRIPTION, type Project } from './tools.ts'

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

const TSC = join(ROOT, 'node_modules/typescript/bin/tsc')
const STRICT =
  '--noEmit --strict --target esnext --lib esnext,dom,dom.iterable --module preserve --allowImportingTsExtensions --skipLibCheck'

/** A client in TypeScript that adds, gets and is refused. */
export async function generate(url: string, { folder, run }: Project): Promise<void> {
  await run('openapi-typescript', DESCRIPTION, '--output', 'schema.ts')
  await Bun.write(join(folder, 'use.ts'), USE)
  await run('node', TSC, ...STRICT.split(' '), 'use.ts')
  await run(process.execPath, 'use.ts', `${url}/v1`, API_KEY)
}
