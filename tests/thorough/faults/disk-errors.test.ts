import { expect } from 'bun:test'
import { statSync } from 'node:fs'
import { petJson } from '../../support/http.ts'
import { BALANCED, balance, Load } from '../../support/load.ts'
import { atOnce, eventually, pathOf } from '../../support/process.ts'
import { needs } from '../../support/programs.ts'
import { type ServiceProcess, startProcess } from '../../support/service.ts'
import { Caller } from './support/disk.ts'
import { storedPets } from './support/stored.ts'
import { injectFault } from './support/system.ts'

const { test } = needs('strace', 'root')

const SYNC = 'fsync,fdatasync'
const ENOUGH = 50
const CALLERS = 8

const logBytesOf = ({ options }: ServiceProcess): number =>
  statSync(`${pathOf(options.databaseUrl)}-wal`).size

test.each([
  ['EIO on sync', SYNC, 'error=EIO'],
  ['ENOSPC on sync', SYNC, 'error=ENOSPC'],
  ['EIO on write', 'pwrite64', 'error=EIO'],
  // The service learns from the attempt to create a folder that all of the disk is read-only.
  ['EROFS on write', 'pwrite64,?mkdir,mkdirat', 'error=EROFS'],
] as const)('a disk that fails with %s stops writes alone, and loses nothing', async (_name, calls, how) => {
  const service = await startProcess()
  const caller = new Caller(service, ['503 unavailable', '503 outcome_unknown'])
  for (let time = 0; time < 2; time++) {
    for (let n = 0; n < 5; n++) await caller.add(`${time} before ${n}`)
    const logBytes = logBytesOf(service)
    const failing = await injectFault(service.process.pid, calls, how)
    for (let n = 0; n < 10; n++) expect(await caller.add(`${time} failing ${n}`)).toBe(503)
    await caller.expectNothingElse()
    expect(await service.fetch('/livez')).toHaveStatus(200)
    const why = how === 'error=EROFS' ? 'the disk is read-only' : ''
    expect((await service.fetch('/readyz')).error.message).toStartWith(`The storage cannot be used: ${why}`)
    await failing.detach()
    await caller.untilAdded(`${time} after`)
    // The write-ahead log, of which a part may not be on disk, was emptied first.
    expect(logBytesOf(service)).toBeLessThanOrEqual(logBytes)
    await caller.expectNothingElse()
  }
  await service.kill()
  const again = await service.restart()
  await caller.expectNothingElse(again)
  again.discard()
  expect(storedPets(service.options.databaseUrl)).toHaveLength(caller.acknowledged.size)
})

test('an animal whose sync failed may have been stored, as its answer says: a crash brings it back, and a repeat adds no other', async () => {
  const service = await startProcess()
  await new Caller(service).add('so that the writer runs')
  const failing = await injectFault(service.process.pid, SYNC, 'error=EIO')
  const perhaps = [petJson({ name: 'Perhaps' }), { 'Idempotency-Key': 'perhaps' }] as const
  expect((await service.post(...perhaps)).failure).toBe('503 outcome_unknown')
  expect((await service.fetch('/readyz')).failure).toBe('503 unavailable')
  await service.kill()
  await failing.detach()
  const again = await service.restart()
  expect((await again.post(...perhaps)).headers.get('idempotent-replayed')).toBe('true')
  again.discard()
  expect(storedPets(service.options.databaseUrl)).toHaveLength(2)
})

test('syncs that fail now and then under concurrent writes cost no acknowledged animal, and none is stored of which the answer denied it', async () => {
  const service = await startProcess()
  const { databaseUrl } = service.options
  await new Caller(service).add('so that the writer runs')
  const failing = await injectFault(service.process.pid, SYNC, 'error=EIO:when=3+4')
  const load = new Load(() => service.url, CALLERS)
  const hasBoth = () => load.unavailable > ENOUGH && load.acknowledged.size > ENOUGH
  await eventually('writes are refused and acknowledged', () => hasBoth() || undefined)
  await load.stop()
  await service.kill()
  await failing.detach()
  const again = await service.restart()
  expect(balance(load, storedPets(databaseUrl))).toEqual(BALANCED)
  again.discard()
})

test('a log that cannot be copied into the database costs no addition', async () => {
  const service = await startProcess()
  const { databaseUrl } = service.options
  const path = pathOf(databaseUrl)
  const failing = await injectFault(service.process.pid, 'pwrite64', 'error=EIO', path)
  // Four bytes per character: four such animals fill a page, and SQLite copies the log from 16 MB on.
  const longName = '🐈'.repeat(240)
  let added = 0
  const add = async (): Promise<void> => {
    while (statSync(`${path}-wal`).size < 17_000_000) {
      expect(await service.post(petJson({ name: longName }))).toHaveStatus(201)
      added++
    }
  }
  await atOnce(32, add)
  await service.kill()
  await failing.detach()
  expect(storedPets(databaseUrl)).toHaveLength(added)
})
