import { Database } from 'bun:sqlite'
import { expect, test } from 'bun:test'
import { freshSqliteUrl } from '../../support/service/folder.ts'
import { eventually } from '../../support/service/process.ts'
import { startProcess } from '../../support/service/service-process.ts'
import { Caller } from './support/faulty-disk.ts'
import { figure, measured } from './support/form.ts'
import { pathOf } from './support/stored.ts'

const TIMES = figure(1, 10)
/** Longer than the two seconds that a write waits for the lock. */
const HELD_MS = 5000
const DUE_MS = 5000
const CALLERS = 50

test('while another process holds the database locked, writes and those queued behind them are refused with Retry-After, reads go on, and nothing is lost', async () => {
  const service = await startProcess({ databaseUrl: await freshSqliteUrl() })
  const caller = new Caller(service)
  await caller.add('the first')
  let slowestRefusal = 0
  let slowestRead = 0
  for (let time = 0; time < TIMES; time++) {
    const other = new Database(pathOf(service.options.databaseUrl))
    other.run('BEGIN IMMEDIATE')
    const since = performance.now()
    const call = async (n: number): Promise<void> => {
      for (let m = 0; performance.now() - since < HELD_MS - 2500; m++) {
        const sentAt = performance.now()
        expect(await caller.add(`${time} ${n} ${m}`)).toBe(503)
        slowestRefusal = Math.max(slowestRefusal, performance.now() - sentAt)
      }
    }
    const calls = Promise.all(Array.from({ length: CALLERS }, (_, n) => call(n)))
    while (performance.now() - since < HELD_MS - 2500) {
      const sentAt = performance.now()
      await caller.expectNothingElse()
      expect((await service.fetch('/readyz')).status).toBe(200)
      slowestRead = Math.max(slowestRead, performance.now() - sentAt)
      await Bun.sleep(20)
    }
    await calls
    other.run('ROLLBACK')
    other.close()
    await caller.untilAdded(`${time} unlocked`)
    await caller.expectNothingElse()
  }
  expect(slowestRefusal).toBeLessThan(DUE_MS)
  expect(slowestRead).toBeLessThan(figure(HELD_MS / 2, 1000))
  measured(
    'locked by another process',
    `${caller.refused.length} writes refused with 503 and Retry-After, the slowest after ${Math.round(slowestRefusal)} ms; reads within ${Math.round(slowestRead)} ms; 0 lost`,
  )
  expect(await service.stop()).toBe(0)
})

test('a service starts on a database that another process holds locked, reads at once and writes when it is released', async () => {
  const databaseUrl = await freshSqliteUrl()
  const before = await startProcess({ databaseUrl })
  await new Caller(before).add('the first')
  // Killed, so that the log is not empty and the start has to recover it.
  await before.kill()
  const other = new Database(pathOf(databaseUrl))
  other.run('BEGIN IMMEDIATE')
  const service = await startProcess({ databaseUrl })
  const caller = new Caller(service)
  caller.acknowledged.push('the first')
  await caller.expectNothingElse()
  expect(await caller.add('too early')).toBe(503)
  other.run('ROLLBACK')
  other.close()
  await eventually('added', async () => (await caller.add('in time')) === 201 || undefined)
  await caller.expectNothingElse()
  expect(await service.stop()).toBe(0)
})
