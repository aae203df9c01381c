import { Database } from 'bun:sqlite'
import { expect, test } from 'bun:test'
import { atOnce, freshSqliteUrl, pathOf, petstore } from '../../support/process.ts'
import { startProcess } from '../../support/service.ts'
import { Caller } from './support/disk.ts'

/** Holds the write lock of a database until it is released. */
function lock(databaseUrl: string): () => void {
  const other = new Database(pathOf(databaseUrl), { create: true })
  other.run('BEGIN IMMEDIATE')
  return () => {
    other.run('ROLLBACK')
    other.close()
  }
}

test('while another process holds the database locked, a service starts, reads go on, writes and those queued behind them are refused, and it is not ready; then it adds, and nothing is lost', async () => {
  const before = await startProcess()
  const { databaseUrl } = before.options
  await new Caller(before).add('the first')
  // Killed, so that the log is not empty and the start has to recover it.
  await before.kill()
  let release = lock(databaseUrl)
  const service = await before.restart()
  const caller = new Caller(service)
  caller.acknowledged.set(1n, 'the first')
  // Held when it starts, and again when it has written.
  for (const time of ['at the start', 'later']) {
    let answered = 0
    const since = performance.now()
    const writing = atOnce(50, async n => {
      expect(await caller.add(`refused ${n}`)).toBe(503)
      answered++
    })
    do await caller.expectNothingElse()
    while (answered === 0)
    await writing
    // A command waits for 8 seconds.
    expect(performance.now() - since).toBeLessThan(7000)
    expect((await service.fetch('/readyz')).error.message).toContain('another program holds a lock')
    // A command that only reads does not wait for the lock.
    expect(await petstore(['keys', 'list'], { DATABASE_URL: databaseUrl })).toMatchObject({ code: 0 })
    release()
    await caller.untilAdded(time)
    expect(await service.fetch('/readyz')).toHaveStatus(200)
    release = lock(databaseUrl)
  }
  release()
  await caller.expectNothingElse()
  expect(await service.stop()).toBe(0)
})

test('six processes that open a new database at once all succeed', async () => {
  const databaseUrl = await freshSqliteUrl()
  const create = ['keys', 'create', '--create', '--name']
  const runs = await atOnce(6, n => petstore([...create, `key ${n}`], { DATABASE_URL: databaseUrl }))
  expect(runs.filter(({ code }) => code !== 0)).toEqual([])
  const { stdout } = await petstore(['keys', 'list'], { DATABASE_URL: databaseUrl })
  expect(stdout.match(/key \d/g)?.length).toBe(6)
})
