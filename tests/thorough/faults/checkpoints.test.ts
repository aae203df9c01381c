import { expect } from 'bun:test'
import { statSync } from 'node:fs'
import { petJson } from '../../support/http/exact.ts'
import { needs } from '../../support/programs/needs.ts'
import { freshSqliteUrl } from '../../support/service/folder.ts'
import { type ServiceProcess, startProcess } from '../../support/service/service-process.ts'
import { InjectedFault } from './support/attached-strace.ts'
import { figure, measured } from './support/form.ts'
import { integrity, pathOf, storedPets } from './support/stored.ts'

const { test } = needs('strace')

const CALLERS = 32
/** Four bytes per character: four such animals fill a page. */
const LONG_NAME = '🐈'.repeat(240)
/** Enough for a checkpoint, but not for the log to restart. */
const ANIMALS = 5000
const SLOW_MS = 2000
const PAGE_BYTES = 4096
const MEGABYTE = 1024 * 1024
/** 16 MB, plus what is written until the checkpoint takes effect. */
const LONGEST_LOG = 24 * MEGABYTE
/** Together they write half as much again. */
const ANIMALS_OF_EACH = figure(15_000, 100_000)

/** Adds animals for many callers at once; returns the time of the slowest. */
async function addMany(service: ServiceProcess, count: number): Promise<number> {
  let next = 0
  let slowest = 0
  const call = async (): Promise<void> => {
    while (next < count) {
      const since = performance.now()
      const { status } = await service.post(petJson({ name: `${next++} ${LONG_NAME}` }))
      expect(status).toBe(201)
      slowest = Math.max(slowest, performance.now() - since)
    }
  }
  await Promise.all(Array.from({ length: CALLERS }, call))
  return slowest
}

test('no addition waits while the log is copied into the database, however long the disk takes for that', async () => {
  const service = await startProcess({ databaseUrl: await freshSqliteUrl() })
  const path = pathOf(service.options.databaseUrl)
  await addMany(service, CALLERS)
  const before = statSync(path).size
  // Only syncs of the database file are slow; a commit syncs the log.
  const slow = await InjectedFault.attach(
    service.process.pid,
    'fsync,fdatasync',
    `delay_enter=${SLOW_MS}ms`,
    path,
  )
  const slowest = await addMany(service, ANIMALS)
  const copied = (statSync(path).size - before) / PAGE_BYTES
  await slow.detach()
  expect(copied).toBeGreaterThan(500)
  expect(slowest).toBeLessThan(SLOW_MS)
  expect(await service.stop()).toBe(0)
  expect(await storedPets(service.options.databaseUrl)).toHaveLength(CALLERS + ANIMALS)
  expect(await integrity(service.options.databaseUrl)).toBe('ok')
  measured(
    'a log that is copied slowly',
    `${ANIMALS} additions, the slowest after ${Math.round(slowest)} ms, while each sync of the database took ${SLOW_MS} ms; ${copied} pages copied meanwhile`,
  )
})

test('a log that cannot be copied into the database costs no addition, and the service says so', async () => {
  const service = await startProcess({ databaseUrl: await freshSqliteUrl() })
  const { databaseUrl } = service.options
  const failing = await InjectedFault.attach(
    service.process.pid,
    'pwrite64',
    'error=EIO',
    pathOf(databaseUrl),
  )
  await addMany(service, ANIMALS)
  await service.output.entry(({ event }) => event === 'background-task-failed')
  await service.kill()
  await failing.detach()
  expect(await storedPets(databaseUrl)).toHaveLength(ANIMALS)
  expect(await integrity(databaseUrl)).toBe('ok')
})

test('writes of two services without a gap do not let the log grow', async () => {
  const first = await startProcess({ databaseUrl: await freshSqliteUrl() })
  const { databaseUrl } = first.options
  const second = await startProcess({ databaseUrl })
  await Promise.all([first, second].map(service => addMany(service, ANIMALS_OF_EACH)))
  const path = pathOf(databaseUrl)
  const [stored, log] = [statSync(path).size, statSync(`${path}-wal`).size]
  expect(stored).toBeGreaterThan(LONGEST_LOG)
  expect(log).toBeLessThan(LONGEST_LOG)
  expect(await Promise.all([first.stop(), second.stop()])).toEqual([0, 0])
  expect(await storedPets(databaseUrl)).toHaveLength(2 * ANIMALS_OF_EACH)
  expect(await integrity(databaseUrl)).toBe('ok')
  measured(
    'the log under writes without a gap',
    `two services, ${2 * ANIMALS_OF_EACH} additions: ${Math.round(stored / MEGABYTE)} MiB stored, ${Math.round(log / MEGABYTE)} MiB of log at most`,
  )
})
