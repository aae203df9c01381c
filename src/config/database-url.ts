import { z } from 'zod'
import type { Database } from '../store/database.ts'
import { parsePostgres } from './postgres-url.ts'

const FORM =
  'must be "sqlite:" followed by the path of a file, or postgres://user:password@host:5432/database'
const SQLITE = /^sqlite:([^?#\0]+)$/

/** The only place that parses a DATABASE_URL. No message shows the text: it may contain a password. */
export const databaseUrl = z.string().transform((text, context): Database => {
  const database = parse(text)
  if (typeof database !== 'string') return database
  context.addIssue(database)
  return z.NEVER
})

/** The database, or what is wrong. */
function parse(text: string): Database | string {
  const [, path] = SQLITE.exec(text) ?? []
  if (path !== undefined)
    return path.includes(':memory:') ? FORM : { engine: 'sqlite', path, publicName: text }
  return parsePostgres(text, withoutSecrets(text)) ?? FORM
}

/** Any URL, valid or not, without what may be credentials: a password may contain any character that is not escaped. */
export function withoutSecrets(url: string): string {
  const [start, end] = [url.indexOf('//'), url.lastIndexOf('@')]
  const rest = start >= 0 && end > start ? `${url.slice(0, start)}//${url.slice(end + 1)}` : url
  return rest.replace(/\?.*$/s, '')
}
