import { Database } from 'bun:sqlite'
import { expect, spyOn, test } from 'bun:test'
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { openedFiles } from './database-files.ts'
import { openFile } from './open.ts'
import type { FromWriter, ToWriter } from './writer-worker.ts'

let started = 0

/** What the writer thread runs, here in the thread of the test, for a new database. */
async function startHere() {
  const path = join(mkdtempSync(join(tmpdir(), 'petstore-')), 'animals.db')
  const opened = openFile({ path, environment: 'production' }, true)
  const here = globalThis as { onmessage: unknown }
  const { onmessage } = here
  // A module of its own for each test, because it keeps its state.
  await import(`./writer-worker.ts?${++started}`)
  const send = here.onmessage as (message: { data: unknown }) => void
  here.onmessage = onmessage
  const { port1: port } = new MessageChannel()
  // It tries once to get a lock.
  send({ data: { path, files: openedFiles(path), lockMs: -1 } })
  send({ data: port })
  return {
    opened,
    /** Makes calls in one turn. Each response is also seen when it is sent. */
    async respond(calls: ToWriter[], see = (): void => {}): Promise<FromWriter[]> {
      using sending = spyOn(port, 'postMessage').mockImplementation(see)
      for (const data of calls) port.onmessage?.({ data } as never)
      await nextTurn()
      return sending.mock.calls.map(([response]) => response)
    },
    [Symbol.dispose]: () => {
      send({ data: 'close' })
      port.close()
      opened.close()
    },
  }
}

test('a create whose commit the disk did not sync is answered as unknown, not as not stored', async () => {
  using thread = await startHere()
  const { query } = Database.prototype
  using _query = spyOn(Database.prototype, 'query').mockImplementation(function (this: Database, sql) {
    const statement = query.call(this, sql)
    const failedSync = Object.assign(new Error('disk I/O error'), { name: 'SQLiteError', errno: 1034 })
    const run = () => {
      throw failedSync
    }
    return (sql === 'COMMIT' ? Object.assign(statement, { run }) : statement) as never
  })
  const responses = await thread.respond([[1, 'addPets', '[["Rex","1","sold"]]', '[]']])
  expect(responses.map(([, outcome]) => outcome)).toEqual(['unknown'])
})

test('calls that wait together for the lock of another program wait once', async () => {
  using thread = await startHere()
  const { opened, respond } = thread
  const calls = [1, 2, 3].map((id): ToWriter => [id, 'revokeKey', 'key', new Date()])
  opened.run('BEGIN IMMEDIATE')
  // A call that waited again would get the lock.
  const responses = await respond(calls, () => void (opened.inTransaction && opened.run('COMMIT')))
  expect(responses.map(([, outcome, , , trouble]) => `${outcome}: ${trouble}`)).toEqual(
    Array(3).fill('unavailable: locked'),
  )
})
