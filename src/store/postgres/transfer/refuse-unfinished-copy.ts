import type pg from 'pg'
import { UNFINISHED_COPY, unfinishedCopy } from '../../unfinished-copy.ts'

export async function refuseUnfinishedSchema(client: pg.ClientBase, name: string): Promise<void> {
  const { rows } = await client.query<{ value: string }>('SELECT value FROM meta WHERE name = $1', [
    UNFINISHED_COPY,
  ])
  if (rows[0] !== undefined) throw unfinishedCopy(name, rows[0].value)
}
