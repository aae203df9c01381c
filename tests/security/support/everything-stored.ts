import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** All that a database holds, as text that can be searched: its files, or every row of every table. */
export async function everythingStored(databaseUrl: string): Promise<string> {
  if (databaseUrl.startsWith('sqlite:')) {
    const folder = dirname(databaseUrl.slice('sqlite:'.length))
    return readdirSync(folder)
      .map(file => readFileSync(join(folder, file), 'latin1'))
      .join('\n')
  }
  const sql = new Bun.SQL(databaseUrl, { max: 1 })
  const tables = await sql`SELECT tablename FROM pg_tables WHERE schemaname = 'public'`
  const rows: string[] = []
  for (const { tablename } of tables as { tablename: string }[])
    rows.push(JSON.stringify(await sql.unsafe(`SELECT t::text FROM "${tablename}" AS t`)))
  await sql.close()
  return rows.join('\n')
}
