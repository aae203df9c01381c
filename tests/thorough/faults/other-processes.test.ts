import { Database } from 'bun:sqlite'
import { expect, test } from 'bun:test'
import { Load } from '../../support/load.ts'
import { eventually, freshSqliteUrl, pathOf, petstore } from '../../support/process.ts'
import { needs } from '../../support/programs.ts'
import { engines, startProcess } from '../../support/service.ts'
import { startOnSlowStorage } from '../security/support/slow-storage.ts'
import { Caller } from './support/disk.ts'
import { programBelow } from './support/system.ts'

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
    const writing = Promise.all(
      Array.from({ length: 50 }, async (_, n) => {
        expect(await caller.add(`refused ${n}`)).toBe(503)
        answered++
      }),
    )
    do await caller.expectNothingElse()
    while (answered === 0)
    await writing
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

needs('strace').test.each(engines.map(engine => [engine.name, engine] as const))(
  'under a flood of writes on a slow %s, keys are made and revoked',
  async (_name, engine) => {
    const service = await startOnSlowStorage(engine, 100)
    // Enough to keep one batch following another.
    const load = new Load(() => service.url, 8)
    for (const command of ['create --name mine', 'revoke mine --yes', 'create --name other']) {
      // A command that never gets the lock fails.
      const ran = await petstore(['keys', ...command.split(' ')], {
        DATABASE_URL: service.options.databaseUrl,
      })
      expect([ran.code, ran.code === 0 ? '' : ran.stderr]).toEqual([0, ''])
    }
    await eventually('animals are added', () => load.acknowledged.size > 0 || undefined)
    await load.stop()
    expect(load.unexpected).toEqual([])
    process.kill(programBelow(service.process.pid), 'SIGTERM')
    await service.exited()
  },
)

test('six processes that open a new database at once all succeed', async () => {
  const databaseUrl = await freshSqliteUrl()
  const runs = await Promise.all(
    Array.from({ length: 6 }, (_, n) =>
      petstore(['keys', 'create', '--create', '--name', `key ${n}`], { DATABASE_URL: databaseUrl }),
    ),
  )
  expect(runs.filter(({ code }) => code !== 0)).toEqual([])
  const { stdout } = await petstore(['keys', 'list'], { DATABASE_URL: databaseUrl })
  expect(stdout.match(/key \d/g)?.length).toBe(6)
})
