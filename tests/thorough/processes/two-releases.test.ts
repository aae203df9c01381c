import { expect, test } from 'bun:test'
import { cpSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { walk } from '../../support/http/walk.ts'
import { balance, Load } from '../../support/load/load.ts'
import { freshFolder, freshSqliteUrl } from '../../support/service/folder.ts'
import { eventually } from '../../support/service/process.ts'
import { startProcess } from '../../support/service/service-process.ts'

const ROOT = join(import.meta.dir, '../../..')
const ENOUGH = 50

/** A later release whose writer has other methods, installed over the running one. */
async function upgrade(folder: string): Promise<void> {
  const own = Bun.file(join(folder, 'package.json'))
  await own.write(JSON.stringify({ ...(await own.json()), version: '999.0.0' }))
  for (const file of ['store.ts', 'writer/writer.ts', 'writer/writer-thread.ts']) {
    const source = Bun.file(join(folder, 'src/store/sqlite', file))
    await source.write((await source.text()).replace(/\baddPets\b/g, 'addAnimals'))
  }
}

test('while a reload replaces one release by another, neither misunderstands the other: nothing is lost or wrong', async () => {
  const folder = await freshFolder()
  for (const name of ['src', 'package.json', 'tsconfig.json'])
    cpSync(join(ROOT, name), join(folder, name), { recursive: true })
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'))
  const service = await startProcess({
    databaseUrl: await freshSqliteUrl(),
    variables: { PETSTORE_PROCESSES: '3' },
    // The same runtime and arguments, but the program of the copy.
    within: ['sh', '-c', `shift; exec "$0" ${join(folder, 'src/main.ts')} "$@"`],
  })
  const load = new Load(() => service.url)
  const addMore = async (): Promise<void> => {
    const before = load.acknowledged.size
    await eventually('animals are added', () => load.acknowledged.size > before + ENOUGH || undefined)
  }
  await addMore()
  await upgrade(folder)
  service.signal('SIGHUP')
  await service.output.entry(({ event }) => event === 'reloaded')
  const refused = load.unavailable
  await addMore()
  await load.stop()
  expect(load.unavailable).toBe(refused)
  const stored = (await walk(service, '/v1/pets?limit=100')).pets.map(({ id, name }) => ({
    id: String(id),
    name,
  }))
  expect(balance(load, stored)).toMatchObject({ lost: [], duplicated: [], foreign: [] })
  // The old release may have to refuse additions until it is replaced.
  expect(load.unexpected.filter(answer => answer.includes(': 500 '))).toEqual([])
  expect([await service.stop(), service.errors.text]).toEqual([0, ''])
})
