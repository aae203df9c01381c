import { z } from 'zod'
import { CONNECTIONS, type Database } from '../store/database.ts'

const FORM =
  'must be "sqlite:" followed by the path of a file, or postgres://user:password@host:5432/database'
const SQLITE = /^sqlite:([^?#\0]+)$/
const POSTGRES = /^(postgres(?:ql)?:\/\/(?:[^@/]*@)?)([^/?]+)(\/[^?]*)?(?:\?(.*))?$/
const TARGET = 'target_session_attrs'
/** On a standby no animal can be added, and what was added is not seen at once: only who asks for it gets one. */
const TARGETS = ['read-write', 'primary', 'any']
/** What Prisma and other clients call the size of their pool. */
const LIMITS = ['connection_limit', 'max']
/** As Prisma names it. Without it a pooler is noticed; false trusts that each connection keeps its session. */
const POOLER = 'pgbouncer'
/** They share the time within which a request is answered. */
const MAX_HOSTS = 10

/** A DATABASE_URL becomes a value here and nowhere else. No message shows the text: it may hold a password. */
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
  const parts = POSTGRES.exec(text)
  return parts === null ? FORM : parsePostgres(parts, withoutSecrets(text))
}

/** A URL may name several hosts: `postgres://a:5432,b:5433/db`. */
function parsePostgres(parts: readonly string[], publicName: string): Database | string {
  const [, start = '', hosts = '', name = '', query = ''] = parts
  const parameters = new URLSearchParams(query)
  // Some of several hosts are standbys: any of them would be one by chance.
  const targets = hosts.includes(',') ? TARGETS.slice(0, -1) : TARGETS
  const target = parameters.get(TARGET) ?? 'read-write'
  if (!targets.includes(target)) return `must have ${targets.join(' or ')} as ${TARGET}`
  const limit = LIMITS.map(name => parameters.get(name)).find(value => value !== null) ?? ''
  const connections = limit === '' ? CONNECTIONS.usual : Number(limit)
  if (!Number.isInteger(connections) || connections < CONNECTIONS.min || connections > CONNECTIONS.max)
    return `must have a number from ${CONNECTIONS.min} to ${CONNECTIONS.max} as ${LIMITS.join(' or ')}`
  const pooler = parameters.get(POOLER)
  if (pooler !== null && !['true', 'false'].includes(pooler)) return `must have true or false as ${POOLER}`
  for (const name of [TARGET, POOLER, ...LIMITS]) parameters.delete(name)
  const end = parameters.size > 0 ? `?${parameters}` : ''
  const urls = hosts.split(',', MAX_HOSTS + 1).map(host => `${start}${host}${name}${end}`)
  if (urls.length > MAX_HOSTS) return `must name at most ${MAX_HOSTS} hosts`
  if (!urls.every(url => URL.canParse(url))) return 'names a host that cannot be understood'
  return {
    engine: 'postgres',
    urls,
    readWrite: target !== 'any',
    connections,
    pooler: pooler === null ? undefined : pooler === 'true',
    publicName,
  }
}

/** Any URL, valid or not, without what may be credentials. */
export const withoutSecrets = (url: string): string => url.replace(/\/\/[^/]*@/, '//').replace(/\?.*$/s, '')
