import { expect, test } from 'bun:test'
import { postgresEngine } from './engine.ts'
import type { PostgresLocation } from './schema.ts'

test('with PostgreSQL, backup and restore say in one sentence what to use instead', async () => {
  const engine = postgresEngine({} as PostgresLocation)
  await expect(engine.backUp({ file: 'x.db', force: false })).rejects.toThrow(/pg_dump/)
  const restoring = engine.restore({ file: 'x.db', force: false, nextId: undefined })
  await expect(restoring).rejects.toThrow(/pg_restore/)
})
