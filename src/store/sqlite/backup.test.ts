import { expect, test } from 'bun:test'
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { backUpSqlite, restoreSqlite } from './backup.ts'
import { openFile } from './open.ts'

test('a restore never assigns the last identifier again, even if it is named as the next one', () => {
  const path = join(mkdtempSync(join(tmpdir(), 'petstore-')), 'animals.db')
  const [location, file] = [{ path, environment: 'production' }, `${path}.backup`] as const
  const database = openFile(location, true)
  database.run("INSERT INTO pets VALUES (7, 'Rex', 1, 'sold')")
  backUpSqlite(location, { file, force: false })
  database.close()
  const lastIdWith = (nextId: bigint) => restoreSqlite(location, { file, force: true, nextId }).lastId
  expect([7n, 8n, 9n].map(lastIdWith)).toEqual([7n, 7n, 8n])
})
