import { expect, test } from 'bun:test'
import { cpSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { API_KEY } from '../../support/http.ts'
import { freshFolder } from '../../support/process.ts'
import { engines, startProcess } from '../../support/service.ts'

const ROOT = join(import.meta.dir, '../../..')
const FIELD =
  "breed: { column: 'breed', kind: 'text', description: '', schema: { minLength: 1, maxLength: 9 }, example: 'Pug' }"
/** The places that CONTRIBUTING.md names, apart from trials and from those that only show the field. */
const EDITS = [
  ['contract/pet.ts', '} as const satisfies Record<string, Field>', `${FIELD},\n$&`],
  ['store/sqlite/schema.sql', "'sold'))\n)", "'sold')), breed TEXT NOT NULL)"],
  ['store/postgres/schema.sql', "'sold'))\n)", "'sold')), breed text NOT NULL)"],
] as const

/** Copies the program and adds the field to the copy. */
async function mainWithField(): Promise<string> {
  const folder = await freshFolder()
  for (const part of ['src', 'client', 'dist', 'openapi.json', 'package.json'])
    cpSync(join(ROOT, part), join(folder, part), { recursive: true })
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'))
  for (const [file, place, text] of EDITS) {
    const path = join(folder, 'src', file)
    const source = readFileSync(path, 'utf8')
    expect(source).toContain(place)
    writeFileSync(path, source.replace(place, text))
  }
  return join(folder, 'src/main.ts')
}

test.each([...engines])('a field that is added as CONTRIBUTING.md says works on $name', async engine => {
  const databaseUrl = await engine.freshDatabaseUrl()
  using service = await startProcess({ main: await mainWithField(), databaseUrl })
  const headers = { Authorization: `Bearer ${API_KEY}`, 'Content-Type': 'application/json' }
  const keyed = { ...headers, 'Idempotency-Key': 'a' }
  const create = (pet: object) =>
    fetch(`${service.url}/v1/pets`, { method: 'POST', headers: keyed, body: JSON.stringify(pet) })
  const rex = { name: 'Rex', categoryId: 7, status: 'sold', breed: 'Pug' }
  const message = 'The body is invalid: breed is required.'
  expect(await (await create({ ...rex, breed: undefined })).json()).toMatchObject({ message })
  for (const replayed of [null, 'true']) {
    const response = await create(rex)
    expect(await response.json()).toEqual({ id: 1, ...rex })
    expect(response.headers.get('idempotent-replayed')).toBe(replayed)
  }
  const list = await fetch(`${service.url}/v1/pets`, { headers })
  expect(await list.json()).toEqual([{ id: 1, ...rex }])
})
