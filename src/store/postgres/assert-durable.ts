import type pg from 'pg'
import { OperatorError } from '../../operator-error.ts'

interface Settings {
  fsync: string | null
  full_page_writes: string | null
  synchronous_commit: string | null
  server_encoding: string | null
}

/** Refuses a server on which a commit could be lost or a name could not be kept. Absent settings belong to other engines. */
export async function assertDurable(client: pg.ClientBase): Promise<void> {
  const { rows } = await client.query<Settings>(
    `SELECT current_setting('fsync', true) AS fsync, current_setting('full_page_writes', true) AS full_page_writes,
            current_setting('synchronous_commit', true) AS synchronous_commit,
            current_setting('server_encoding', true) AS server_encoding`,
  )
  const { server_encoding: encoding, ...durability } = rows[0] as Settings
  for (const [name, value] of Object.entries(durability))
    if (value === 'off')
      throw new OperatorError(`PostgreSQL's ${name} is off, so a power cut could lose animals.`)
  if (encoding !== null && !/^utf-?8$/i.test(encoding))
    throw new OperatorError(`The database's encoding is ${encoding}; it must be UTF8 to keep every name.`)
}
