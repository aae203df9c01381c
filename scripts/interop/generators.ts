import { join } from 'node:path'
import { API_KEY } from '../../tests/support/http.ts'
import { ROOT } from '../command.ts'
import { DESCRIPTION, type Project } from './tools.ts'

/** Programs that use what was generated. They compile only if the type of a code is open, for codes of later releases. */
const REFUSED = `if (refused?.status !== 400) throw new Error('A limit of 0 must be refused')
const known: Record<string, boolean> = { invalid_query: true }
const code = refused.code
if (!known[code] || code === 'of_a_later_release' || name !== 'Rex') throw new Error(code + name)
`
const USES: Readonly<Record<string, string>> = {
  'openapi-fetch': `import createClient from 'openapi-fetch'
import type { paths } from './openapi-typescript/schema.ts'
const client = createClient<paths>({ baseUrl: BASE, headers: { Authorization: 'Bearer ' + KEY } })
const added = await client.POST('/pets', { body: { name: 'Rex', categoryId: 7 } })
const got = await client.GET('/pets/{petId}', { params: { path: { petId: added.data?.id ?? 0 } } })
const name = got.data?.name
const refused = (await client.GET('/pets', { params: { query: { limit: 0 } } })).error
`,
  'hey-api': `import { client } from './hey-api/client.gen.ts'
import { zError } from './hey-api/zod.gen.ts'
import { createPet, getPet, listPets } from './hey-api/sdk.gen.ts'
client.setConfig({ baseUrl: BASE, auth: KEY })
const added = await createPet({ body: { name: 'Rex', categoryId: 7 } })
const name = (await getPet({ path: { petId: added.data?.id ?? 0 } })).data?.name
const refused = (await listPets({ query: { limit: 0 } })).error
zError.parse({ code: 'of_a_later_release', message: 'New.', status: 400 })
`,
}

const TSC = join(ROOT, 'node_modules/typescript/bin/tsc')
const STRICT =
  '--noEmit --strict --target esnext --lib esnext,dom,dom.iterable --module preserve --allowImportingTsExtensions --skipLibCheck'

/** Clients in TypeScript that add, get and are refused. */
export async function generate(url: string, { folder, run, runWithBun }: Project): Promise<string> {
  await runWithBun('openapi-typescript', DESCRIPTION, '--output', 'openapi-typescript/schema.ts')
  const plugins = ['@hey-api/client-fetch', '@hey-api/typescript', '@hey-api/sdk', 'zod']
  await runWithBun('openapi-ts', '--input', DESCRIPTION, '--output', 'hey-api', '--plugins', ...plugins)
  const head = `const BASE = ${JSON.stringify(`${url}/v1`)}, KEY = ${JSON.stringify(API_KEY)}\n`
  for (const [name, use] of Object.entries(USES))
    await Bun.write(join(folder, `${name}.ts`), head + use + REFUSED)
  const programs = Object.keys(USES).map(name => `${name}.ts`)
  await run('node', TSC, ...STRICT.split(' '), ...programs)
  for (const program of programs) await run(process.execPath, program)
  return `${Object.keys(USES).join(', ')} type-check with strict, add, get, and know the code of a refusal`
}
