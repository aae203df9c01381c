import { expect, test } from 'bun:test'
import { statSync } from 'node:fs'
import { petJson } from '../../support/http/exact.ts'
import { needs } from '../../support/programs/needs.ts'
import { freshSqliteUrl } from '../../support/service/folder.ts'
import { type ServiceProcess, startProcess } from '../../support/service/service-process.ts'
import { InjectedFault } from './support/attached-strace.ts'
import { figure, measured } from './support/form.ts'
import { integrity, pathOf, storedPets } from './support/stored.ts'

const CALLERS = 32
/** Four bytes per character: four such animals fill a page. */
const LONG_NAME = '🐈'.repeat(240)
const MEGABYTE = 1024 * 1024
/** SQLite copies the log from 16 MB on; the writer empties it from 32 MB on. */
const COPIED_LOG = 16 * MEGABYTE
const LONGEST_LOG = 40 * MEGABYTE
const ANIMALS = figure(15_000, 100_000)

/** Adds animals for many callers at once. */
async function addMany(service: ServiceProcess, count: number): Promise<void> {
  let next = 0
  const call = async (): Promise<void> => {
    while (next < count)
      expect((await service.post(petJson({ name: `${next++} ${LONG_NAME}` }))).status).toBe(201)
  }
  await Promise.all(Array.from({ length: CALLERS }, call))
}

needs('strace').test('a log that cannot be copied into the database costs no addition', async () => {
  const service = await startProcess({ databaseUrl: await freshSqliteUrl() })
  const { databaseUrl } = service.options
  const path = pathOf(databaseUrl)
  const failing = await InjectedFault.attach(service.process.pid, 'pwrite64', 'error=EIO', path)
  await addMany(service, ANIMALS)
  expect(statSync(`${path}-wal`).size).toBeGreaterThan(COPIED_LOG)
  await service.kill()
  await failing.detach()
  expect(await storedPets(databaseUrl)).toHaveLength(ANIMALS)
  expect(await integrity(databaseUrl)).toBe('ok')
})

test('writes of two services without a gap do not let the log grow', async () => {
  const first = await startProcess({ databaseUrl: await freshSqliteUrl() })
  const { databaseUrl } = first.options
  const second = await startProcess({ databaseUrl })
  await Promise.all([first, second].map(service => addMany(service, ANIMALS)))
  const path = pathOf(databaseUrl)
  const [stored, log] = [statSync(path).size, statSync(`${path}-wal`).size]
  expect(log).toBeLessThan(LONGEST_LOG)
  expect(await Promise.all([first.stop(), second.stop()])).toEqual([0, 0])
  expect(await storedPets(databaseUrl)).toHaveLength(2 * ANIMALS)
  expect(await integrity(databaseUrl)).toBe('ok')
  measured(
    'the log under writes without a gap',
    `two services, ${2 * ANIMALS} additions: ${Math.round(stored / MEGABYTE)} MiB stored, ${Math.round(log / MEGABYTE)} MiB of log at most`,
  )
})
