import { expect, test } from 'bun:test'
import * as fs from 'node:fs'
import { join } from 'node:path'
import { petJson, walk } from '../../support/http.ts'
import { freshFolder, freshSqliteUrl, pathOf, petstore } from '../../support/process.ts'
import { type ServiceProcess, startProcess } from '../../support/service.ts'
import { makeStore } from '../../support/store.ts'

/** A service that has acknowledged 500 animals since its last checkpoint, and 300 before it. */
async function serviceWithAnimals(): Promise<{ service: ServiceProcess; path: string }> {
  const databaseUrl = await freshSqliteUrl()
  await makeStore(databaseUrl, Array(300).fill('Rex'))
  const service = await startProcess({ databaseUrl })
  await service.addAnimals(500)
  return { service, path: pathOf(databaseUrl) }
}

/** As docs/backups.md says: a removed file stays on the disk as long as a process has it open. */
function copyFromProcess({ process: { pid } }: ServiceProcess, path: string): void | Promise<void> {
  const open = fs.readdirSync(`/proc/${pid}/fd`).map(number => `/proc/${pid}/fd/${number}`)
  const found = open.find(link => fs.existsSync(link) && fs.readlinkSync(link) === `${path} (deleted)`) ?? ''
  fs.copyFileSync(found, path)
}

async function putBackAfterStop(service: ServiceProcess, path: string): Promise<void> {
  await service.stop()
  expect((await petstore(['serve', '--port', '0'], { DATABASE_URL: `sqlite:${path}` })).code).toBe(6)
  fs.renameSync(`${path}.away`, path)
}

const PUT_BACK = 'Do not restart it before that file is back'
const STOP = 'it stores the rest when it stops'

test.each<[what: string, harm: (path: string) => void, advice: string, mend: typeof copyFromProcess]>([
  ['removed, and copied from the running service', path => fs.rmSync(path), PUT_BACK, copyFromProcess],
  ['moved away until a stop', path => fs.renameSync(path, `${path}.away`), PUT_BACK, putBackAfterStop],
  ['left without its log', path => fs.rmSync(`${path}-wal`), STOP, () => {}],
  ['left without the index of its log', path => fs.rmSync(`${path}-shm`), STOP, () => {}],
])('a database file that is %s, as advised, loses no animal', async (_what, harm, advice, mend) => {
  const { service, path } = await serviceWithAnimals()
  harm(path)
  expect(await service.post(petJson({}))).toHaveStatus(503)
  await service.output.entry(line => JSON.stringify(line).includes(advice))
  await mend(service, path)
  using again = await service.restart()
  expect((await walk(again, '/v1/pets?limit=100')).pets).toHaveLength(800)
  expect((await again.post(petJson({}))).pet.id).toBe(801n)
})

test('a log that SQLite has just begun anew is not applied to a backup that was copied over the database', async () => {
  const { service, path } = await serviceWithAnimals()
  const backup = join(await freshFolder(), 'backup.db')
  await petstore(['backup', backup], { DATABASE_URL: service.options.databaseUrl })
  /** Counts how often the log has begun anew. */
  const generation = (): number => fs.readFileSync(`${path}-wal`).readUInt32BE(12)
  const first = generation()
  while (generation() === first) await service.post(petJson({ name: 'x'.repeat(250) }))
  await service.kill()
  fs.copyFileSync(backup, path)
  const { code, stderr } = await petstore(['serve', '--port', '0'], { DATABASE_URL: `sqlite:${path}` })
  expect([code, stderr]).toEqual([6, expect.stringContaining('belongs to another database file')])
})
