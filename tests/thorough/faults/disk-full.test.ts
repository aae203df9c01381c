import { expect } from 'bun:test'
import { needs } from '../../support/programs/needs.ts'
import { startProcess } from '../../support/service/service-process.ts'
import { Caller } from './support/faulty-disk.ts'
import { figure, measured } from './support/form.ts'
import { SmallDisk } from './support/small-disk.ts'

const { test } = needs('mounting', 'mount')

const TIMES = figure(2, 20)
const LONG_NAME = 'x'.repeat(200)

test(`on a disk that fills up ${TIMES} times, writes are refused, reads go on, nothing acknowledged is lost, and writes work again within 5 seconds of space`, async () => {
  const disk = await SmallDisk.create(8)
  try {
    const service = await startProcess({ databaseUrl: disk.databaseUrl })
    const caller = new Caller(service)
    await caller.add('the first')
    let slowest = 0
    for (let time = 0; time < TIMES; time++) {
      disk.fill(100_000)
      let n = 0
      while ((await caller.add(`${time}/${n++} ${LONG_NAME}`)) === 201) expect(n).toBeLessThan(10_000)
      for (let more = 0; more < 20; more++) await caller.add(`${time}/full ${more} ${LONG_NAME}`)
      await caller.expectNothingElse()
      expect((await service.fetch('/livez')).status).toBe(200)
      disk.makeRoom()
      slowest = Math.max(slowest, await caller.untilAdded(`${time}/room`))
      await caller.expectNothingElse()
    }
    await service.kill()
    const again = await service.restart()
    await caller.expectNothingElse(again)
    expect(await again.stop()).toBe(0)
    measured(
      'disk full',
      `${TIMES} times: ${caller.refused.length} writes refused with 503, ${caller.acknowledged.length} acknowledged, 0 lost, 0 false; writes back ${Math.round(slowest)} ms after space`,
    )
  } finally {
    disk.remove()
  }
})

test('a full disk does not keep the service from ending well', async () => {
  const disk = await SmallDisk.create(8)
  try {
    const service = await startProcess({ databaseUrl: disk.databaseUrl })
    const caller = new Caller(service)
    await caller.add('the first')
    disk.fill(0)
    let n = 0
    while ((await caller.add(`${n++} ${LONG_NAME}`)) === 201) expect(n).toBeLessThan(10_000)
    expect(await service.stop()).toBe(0)
    disk.makeRoom()
    const again = await service.restart()
    await caller.expectNothingElse(again)
    expect(await again.stop()).toBe(0)
  } finally {
    disk.remove()
  }
})
