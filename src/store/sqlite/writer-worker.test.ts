import { Database } from 'bun:sqlite'
import { expect, spyOn, test } from 'bun:test'
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openedFiles } from './database-files.ts'
import { openFile } from './open.ts'

test('a create whose commit the disk did not sync is answered as unknown, not as not stored', async () => {
  const path = join(mkdtempSync(join(tmpdir(), 'petstore-')), 'animals.db')
  using _opened = openFile({ path, environment: 'production' }, true)
  const { onmessage } = globalThis
  await import('./writer-worker.ts')
  const send = (data: unknown) => Object(globalThis).onmessage({ data })
  const { query } = Database.prototype
  using _query = spyOn(Database.prototype, 'query').mockImplementation(function (this: Database, sql) {
    const statement = query.call(this, sql)
    const failedSync = Object.assign(new Error('disk I/O error'), { name: 'SQLiteError', errno: 1034 })
    const run = () => {
      throw failedSync
    }
    return (sql === 'COMMIT' ? Object.assign(statement, { run }) : statement) as never
  })
  const { port1, port2 } = new MessageChannel()
  const answered = new Promise<readonly unknown[]>(resolve => {
    port1.onmessage = ({ data }) => resolve(data)
  })
  try {
    send({ path, files: openedFiles(path), lockMs: 1000 })
    send(port2)
    port1.postMessage([1, 'addPets', '[["Rex","1","sold"]]', '[]'])
    expect((await answered).slice(0, 2)).toEqual([1, 'unknown'])
  } finally {
    send('close')
    port1.close()
    Object.assign(globalThis, { onmessage })
  }
})
