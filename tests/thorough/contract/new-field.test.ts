import { beforeAll, expect, test } from 'bun:test'
import { cpSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fresh, PLACES } from '../../copy/stores.ts'
import { freshFolder, petstore, type Variables } from '../../support/process.ts'
import { API_KEY, makeStore, type Service, type ServiceProcess, startProcess } from '../../support/service.ts'

const ROOT = join(import.meta.dir, '../../..')
const COLUMN = "breed text NOT NULL DEFAULT 'unknown'"
const STEP = `'ALTER TABLE pets ADD COLUMN ${COLUMN.replaceAll("'", "\\'")}'`
const FIELD = `breed: { column: 'breed', kind: 'text', description: 'Breed.', schema: { minLength: 1, maxLength: 50 }, example: 'Spitz' }`
/** The program as it would be with one more field: nothing else of its sources is changed. */
const EDITS: readonly (readonly [file: string, before: string, after: string])[] = [
  ['contract/pet.ts', '} as const satisfies Record<string, Field>', `${FIELD}, $&`],
  ['store/sqlite/schema.ts', 'MIGRATIONS = [schema', `$&, ${STEP}`],
  ['store/postgres/schema.ts', ']\nconst SCHEMA_VERSION', `${STEP}$&`],
  ['store/postgres/schema.sql', "'sold'))", `$&, ${COLUMN}`],
]

const sent = { name: 'Rex', categoryId: 7, breed: 'Zwergspitz, "klein"' }
const stored = { id: 2, status: 'available', ...sent }
const once = { 'Idempotency-Key': 'once' }

let main = ''
beforeAll(async () => {
  const folder = await freshFolder()
  const filter = (path: string) => !path.includes('node_modules')
  for (const name of ['src', 'client', 'package.json', 'tsconfig.json'])
    cpSync(join(ROOT, name), join(folder, name), { recursive: true, filter })
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'))
  for (const [name, before, after] of EDITS) {
    const file = join(folder, 'src', name)
    const text = readFileSync(file, 'utf8')
    expect([name, text.split(before).length]).toEqual([name, 2])
    writeFileSync(file, text.replace(before, after))
  }
  main = join(folder, 'src/main.ts')
})

async function run(args: string[], variables: Variables = {}): Promise<void> {
  const { code, stderr } = await petstore(args, { PETSTORE_API_KEY: API_KEY, ...variables }, { main })
  expect([args[0], code, stderr]).toEqual([args[0], 0, expect.anything()])
}

async function call({ url }: Service, path: string, body?: object, headers: Record<string, string> = {}) {
  const response = await fetch(`${url}/v1/pets${path}`, {
    method: body ? 'POST' : 'GET',
    headers: { Authorization: `Bearer ${API_KEY}`, 'Content-Type': 'application/json', ...headers },
    ...(body && { body: JSON.stringify(body) }),
  })
  return [response.status, await response.json()]
}

/** A service whose store has the animal, and the answer that is remembered for it. */
async function startKept(databaseUrl: string): Promise<ServiceProcess> {
  const service = await startProcess({ databaseUrl, main })
  expect(await call(service, '', sent, once)).toEqual([201, stored])
  expect(await call(service, '/2')).toEqual([200, stored])
  return service
}

test.each(PLACES)(
  'a field that is in the list of fields and in the schema of %s is checked, stored, described, and survives files, copies and backups',
  async place => {
    const url = await fresh(place)
    await makeStore(url, ['Of the release before'])
    const service = await startKept(url)
    const { breed: _, ...without } = sent
    expect(await call(service, '', without)).toMatchObject([400, { code: 'invalid_body' }])
    expect(await call(service, '', sent, once)).toEqual([201, stored])
    const other = await call(service, '', { ...sent, breed: 'other' }, once)
    expect(other).toMatchObject([422, { code: 'idempotency_key_reused' }])
    const breed = { type: 'string', description: 'Breed.', minLength: 1, maxLength: 50 }
    const described = { required: expect.arrayContaining(['breed']), properties: { breed } }
    expect(await (await fetch(`${service.url}/openapi.json`)).json()).toMatchObject({
      components: { schemas: { Pet: described, NewPet: described } },
    })

    const folder = await freshFolder()
    for (const file of ['a.ndjson', 'a.csv'].map(name => join(folder, name))) {
      const client = { PETSTORE_BASE_URL: `${service.url}/v1` }
      await run(['pets', 'export', file], client)
      await run(['pets', 'import', file, '--yes', '--again', '--lines', '1-'], client)
    }
    const [, listed] = await call(service, '?limit=100')
    const breeds = (listed as { breed: string }[]).map(pet => pet.breed)
    expect(breeds.toSorted()).toEqual([...Array(4).fill(sent.breed), ...Array(4).fill('unknown')])

    await service.stop()
    for (const target of PLACES) {
      const to = await fresh(target)
      await run(['copy', '--from', url, '--to', to])
      await run(['copy', '--unmark', url, '--yes'])
      ;(await startKept(to)).discard()
    }
    if (place === 'postgres') return
    const restored = await fresh('sqlite')
    await run(['backup', join(folder, 'b.db')], { DATABASE_URL: url })
    await run(['restore', join(folder, 'b.db')], { DATABASE_URL: restored })
    ;(await startKept(restored)).discard()
  },
)
