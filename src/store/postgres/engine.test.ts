import { expect, test } from 'bun:test'
import { parseDatabaseUrl } from '../../config/database-url.ts'
import { postgresEngine } from './engine.ts'

test('with PostgreSQL, backup and restore say in one sentence what to use instead', async () => {
  const database = parseDatabaseUrl('postgres://nobody:secret@127.0.0.1:1/none')
  if (database.engine !== 'postgres') throw new Error('not PostgreSQL')
  const engine = postgresEngine({ database, environment: 'production' })
  await expect(engine.backUp({ file: 'x.db', force: false })).rejects.toThrow(/pg_dump/)
  const restoring = engine.restore({ file: 'x.db', force: false, nextId: undefined })
  await expect(restoring).rejects.toThrow(/pg_restore/)
})
