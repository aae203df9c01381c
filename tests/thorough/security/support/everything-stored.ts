import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { query } from '../../../support/postgres/server.ts'

/** Everything that a database contains, as searchable text: its files, or every row of every table. */
export async function everythingStored(databaseUrl: string): Promise<string> {
  if (databaseUrl.startsWith('sqlite:')) {
    const folder = dirname(databaseUrl.slice('sqlite:'.length))
    return readdirSync(folder)
      .map(file => readFileSync(join(folder, file), 'latin1'))
      .join('\n')
  }
  const tables = await query<{ tablename: string }>(
    databaseUrl,
    "SELECT tablename FROM pg_tables WHERE schemaname = 'public'",
  )
  const rows: string[] = []
  for (const { tablename } of tables)
    rows.push(JSON.stringify(await query(databaseUrl, `SELECT t::text FROM "${tablename}" AS t`)))
  return rows.join('\n')
}
