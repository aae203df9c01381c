import { expect } from 'bun:test'
import { statSync } from 'node:fs'
import { walk } from '../../support/http/walk.ts'
import { needs } from '../../support/programs/needs.ts'
import { freshSqliteUrl } from '../../support/service/folder.ts'
import { eventually } from '../../support/service/process.ts'
import { type ServiceProcess, startProcess } from '../../support/service/service-process.ts'
import { InjectedFault } from './support/attached-strace.ts'
import { Caller } from './support/faulty-disk.ts'
import { figure, measured } from './support/form.ts'
import { integrity, pathOf, storedPets } from './support/stored.ts'
import { Writers } from './support/writers.ts'

const { describe, test } = needs('strace')

const SYNC = 'fsync,fdatasync'
const TIMES = figure(2, 20)
const ENOUGH = figure(50, 500)

const freshService = async (): Promise<ServiceProcess> =>
  startProcess({ databaseUrl: await freshSqliteUrl() })
const fault = (service: ServiceProcess, calls: string, how: string) =>
  InjectedFault.attach(service.process.pid, calls, how)

describe('while the disk fails', () => {
  const faults = [
    ['EIO on sync', SYNC, 'error=EIO'],
    ['ENOSPC on sync', SYNC, 'error=ENOSPC'],
    ['EIO on write', 'pwrite64', 'error=EIO'],
    ['ENOSPC on write', 'pwrite64', 'error=ENOSPC'],
    ['EROFS on write', 'pwrite64', 'error=EROFS'],
  ] as const
  test.each(faults)(
    '%s: writes are refused, reads go on, no refused animal is shown, and writes work again within 5 seconds',
    async (name, calls, how) => {
      const service = await freshService()
      const caller = new Caller(service)
      let slowest = 0
      for (let time = 0; time < TIMES; time++) {
        await caller.add(`${time} before`)
        const failing = await fault(service, calls, how)
        for (let n = 0; n < 10; n++) expect(await caller.add(`${time} failing ${n}`)).toBe(503)
        await caller.expectNothingElse()
        expect((await service.fetch('/livez')).status).toBe(200)
        await failing.detach()
        slowest = Math.max(slowest, await caller.untilAdded(`${time} after`))
        await caller.expectNothingElse()
      }
      await service.kill()
      const again = await service.restart()
      await caller.expectNothingElse(again)
      expect(await again.stop()).toBe(0)
      expect(await integrity(service.options.databaseUrl)).toBe('ok')
      measured(
        name,
        `${TIMES} times: ${caller.refused.length} writes refused with 503, 0 false 201, 0 refused animals shown; writes back after ${Math.round(slowest)} ms`,
      )
    },
  )
})

test('what a killed process left in the log without a sync is durable before it is shown', async () => {
  const service = await freshService()
  const caller = new Caller(service)
  await caller.add('durable')
  const failing = await fault(service, SYNC, 'error=EIO')
  expect(await caller.add('never synced')).toBe(503)
  await service.kill()
  await failing.detach()
  const again = await service.restart()
  // An empty log means that all of it was copied to the database and synced.
  expect(statSync(`${pathOf(service.options.databaseUrl)}-wal`).size).toBe(0)
  const names = (await walk(again, '/v1/pets')).pets.map(pet => pet.name)
  expect(['durable', 'durable,never synced']).toContain(names.join())
  expect(await again.stop()).toBe(0)
})

test('syncs that fail now and then under concurrent writes cost no acknowledged animal and show no refused one', async () => {
  let acknowledged = 0
  let refused = 0
  for (let time = 0; time < TIMES; time++) {
    const service = await freshService()
    const { databaseUrl } = service.options
    const first = new Caller(service)
    await first.add('so that the writer runs/1')
    const failing = await fault(service, SYNC, 'error=EIO:when=3+4')
    const writers = new Writers(service.url, `${time}`, 8)
    const hasBoth = () => writers.refused.length > ENOUGH && writers.acknowledged.size > ENOUGH
    await eventually('writes are refused and acknowledged', () => hasBoth() || undefined)
    await writers.stop()
    await service.kill()
    await failing.detach()
    const again = await service.restart()
    const stored = new Set((await storedPets(databaseUrl)).map(pet => pet.name))
    expect([...writers.acknowledged.keys()].filter(name => !stored.has(name))).toEqual([])
    // If the very last write was refused, nothing after it emptied the log.
    const shown = writers.refused.filter(name => stored.has(name))
    expect(shown.length).toBeLessThanOrEqual(8)
    expect(await integrity(databaseUrl)).toBe('ok')
    expect(await again.stop()).toBe(0)
    acknowledged += writers.acknowledged.size
    refused += writers.refused.length
  }
  measured(
    'EIO on every fourth sync under load, then kill -9',
    `${acknowledged} acknowledged, 0 lost; ${refused} refused`,
  )
})
