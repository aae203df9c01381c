import { join } from 'node:path'
import { API_KEY } from '../../tests/support/http.ts'
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
  orval: `import { createPet, getPet, listPets } from './orval/petstore.ts'
const options = { headers: { Authorization: 'Bearer ' + KEY } }
const added = await createPet({ name: 'Rex', categoryId: 7 }, options)
const got = await getPet(added.status === 201 ? added.data.id : 0, options)
const name = got.status === 200 ? got.data.name : undefined
const answer = await listPets({ limit: 0 }, options)
const refused = answer.status === 400 ? answer.data : undefined
`,
  kubb: `import { createPet, errorSchema, getPet, listPets } from './kubb/index.ts'
const options = { baseURL: BASE, headers: { Authorization: 'Bearer ' + KEY, 'Content-Type': 'application/json' } }
const added = await createPet({ name: 'Rex', categoryId: 7 }, undefined, options)
const name = (await getPet(added.id, undefined, options)).name
const refused = errorSchema.parse(await listPets({ limit: 0 }, undefined, options))
`,
  'swagger-typescript-api': `import { Api, type Error as Refusal } from './swagger-typescript-api/api.ts'
const { pets } = new Api({ baseUrl: BASE, baseApiParams: { headers: { Authorization: 'Bearer ' + KEY } } })
const added = await pets.createPet({ name: 'Rex', categoryId: 7 })
const name = (await pets.getPet(added.data.id)).data.name
const refused = await pets.listPets({ limit: 0 }).then(() => undefined, ({ error }: { error: Refusal }) => error)
`,
}

const KUBB = `import { defineConfig } from '@kubb/core'
import { pluginClient } from '@kubb/plugin-client'
import { pluginOas } from '@kubb/plugin-oas'
import { pluginTs } from '@kubb/plugin-ts'
import { pluginZod } from '@kubb/plugin-zod'
const plugins = [pluginOas(), pluginTs(), pluginZod(), pluginClient({ client: 'fetch' })]
const output = { path: './kubb', format: false, lint: false }
export default defineConfig({ input: { path: ${JSON.stringify(DESCRIPTION)} }, output, plugins })
`

/** Uses the generated Python package, which needs urllib3, six and dateutil. */
const PYTHON_USE = `import openapi_client as petstore
LARGEST = 2 ** 63 - 1
configuration = petstore.Configuration(host=BASE)
configuration.access_token = KEY
with petstore.ApiClient(configuration) as client:
    pets = petstore.PetsApi(client)
    added = pets.create_pet(petstore.NewPet(name='Rex', category_id=LARGEST))
    assert pets.get_pet(added.id).category_id == LARGEST
    try:
        pets.list_pets(cursor='x')
        raise SystemExit('A cursor of no page must be refused')
    except petstore.ApiException as refused:
        assert refused.status == 400 and 'invalid_query' in refused.body
    petstore.Error(code='of_a_later_release', message='New.', status=400)
`

const STRICT =
  '--noEmit --strict --target esnext --lib esnext,dom,dom.iterable --module preserve --allowImportingTsExtensions --skipLibCheck'

/** Clients in TypeScript that add, get and are refused. */
export async function generate(url: string, { folder, run, runWithBun }: Project): Promise<string> {
  const output = { target: 'orval/petstore.ts', client: 'fetch', baseUrl: `${url}/v1` }
  await Bun.write(join(folder, 'orval.json'), JSON.stringify({ petstore: { input: DESCRIPTION, output } }))
  await runWithBun('openapi-typescript', DESCRIPTION, '--output', 'openapi-typescript/schema.ts')
  const plugins = ['@hey-api/client-fetch', '@hey-api/typescript', '@hey-api/sdk', 'zod']
  await runWithBun('openapi-ts', '--input', DESCRIPTION, '--output', 'hey-api', '--plugins', ...plugins)
  await runWithBun('orval', '--config', 'orval.json')
  await Bun.write(join(folder, 'kubb.config.js'), KUBB)
  await run('kubb', 'generate')
  const api = ['--path', DESCRIPTION, '--output', 'swagger-typescript-api', '--name', 'api.ts']
  await run('swagger-typescript-api', 'generate', ...api)
  const head = `const BASE = ${JSON.stringify(`${url}/v1`)}, KEY = ${JSON.stringify(API_KEY)}\n`
  for (const [name, use] of Object.entries(USES))
    await Bun.write(join(folder, `${name}.ts`), head + use + REFUSED)
  const programs = Object.keys(USES).map(name => `${name}.ts`)
  await runWithBun('tsc', ...STRICT.split(' '), ...programs)
  for (const program of programs) await run(process.execPath, program)
  return `${Object.keys(USES).join(', ')} type-check with strict, add, get, and know the code of a refusal`
}

/** A generator of its age reads OpenAPI 3.0. */
export async function generatePython(url: string, { folder, run, runWithBun }: Project): Promise<string> {
  await runWithBun('openapi-down-convert', '--allOf', '--input', DESCRIPTION, '--output', 'openapi-3.0.json')
  const archive = 'node_modules/@openapitools/openapi-generator-cli/bin/openapi-generator.jar'
  await run('java', '-jar', archive, 'generate', '-g', 'python', '-i', 'openapi-3.0.json', '-o', 'python')
  const head = `BASE, KEY = ${JSON.stringify(`${url}/v1`)}, ${JSON.stringify(API_KEY)}\n`
  await Bun.write(join(folder, 'python/use.py'), head + PYTHON_USE)
  await run('python3', 'python/use.py')
  return 'adds and gets an animal with an int64 of 19 digits, and knows a refusal'
}
