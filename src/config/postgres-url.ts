import { CONNECTIONS, type PostgresDatabase } from '../store/database.ts'

const POSTGRES = /^(postgres(?:ql)?:\/\/(?:[^@/?]*@)?)([^/?]*)(\/[^?]*)?(?:\?(.*))?$/
const TARGET = 'target_session_attrs'
/** A standby accepts no writes and lags behind, so it is used only on request. */
const TARGETS = ['read-write', 'primary', 'any']
const REPLICA_TARGETS = ['any', 'standby', 'prefer-standby', 'read-only']
/** What Prisma and other clients call the size of their pool. */
const LIMITS = ['connection_limit', 'max']
/** As Prisma names it. Without it a pooler is noticed; false trusts that each connection keeps its session. */
const POOLER = 'pgbouncer'
/** As Prisma names it; every role looks there anyway. */
const SCHEMA = 'schema'
const USUAL_SCHEMA = 'public'
/** As libpq means them. Not `allow` and `prefer`: a machine in between could take the encryption away. */
const SSL_MODES = ['disable', 'require', 'verify-ca', 'verify-full', 'no-verify']
/** They share the time within which a request is answered. */
const MAX_HOSTS = 10

/** The database that a URL names, or what is wrong with it; undefined where it is none of PostgreSQL. */
export function parsePostgres(
  text: string,
  publicName: string,
  { ofReplicas = false } = {},
): PostgresDatabase | string | undefined {
  const parts = POSTGRES.exec(text)
  if (parts === null) return undefined
  const [, start = '', authority = '', name = '', query = ''] = parts
  const parameters = new URLSearchParams(query)
  const take = (parameter: string): string | undefined => {
    const value = parameters.get(parameter) ?? undefined
    parameters.delete(parameter)
    return value
  }
  const hosts = hostsOf(authority, take('host'), take('port'))
  if (hosts.length > MAX_HOSTS) return `must name at most ${MAX_HOSTS} hosts`
  // Some of several hosts are standbys: any of them would be one by chance.
  const ofPrimary = hosts.length > 1 ? TARGETS.slice(0, -1) : TARGETS
  const targets = ofReplicas ? REPLICA_TARGETS : ofPrimary
  const target = take(TARGET) ?? (targets[0] as string)
  if (!targets.includes(target)) return `must have ${targets.join(' or ')} as ${TARGET}`
  const limits = LIMITS.map(take)
  const limit = limits.find(value => value !== undefined) || undefined
  const connections = limit === undefined ? undefined : Number(limit)
  if (connections !== undefined && !isPoolSize(connections))
    return `must have a number from ${CONNECTIONS.min} to ${CONNECTIONS.max} as ${LIMITS.join(' or ')}`
  const pooler = take(POOLER)
  if (pooler !== undefined && !['true', 'false'].includes(pooler))
    return `must have true or false as ${POOLER}`
  const named = take(SCHEMA) || USUAL_SCHEMA
  const schema = named === USUAL_SCHEMA ? undefined : named
  if (schema !== undefined) {
    if (pooler === 'true')
      return `cannot have both ${SCHEMA} and ${POOLER}; let the role look there: ALTER ROLE … SET search_path = …`
    const options = [take('options'), `-c search_path=${quotedIdentifier(schema)}`].filter(Boolean)
    parameters.set('options', options.join(' '))
  }
  const wrongTls = meanTlsAsLibpq(parameters)
  if (wrongTls !== undefined) return wrongTls
  // The driver decodes what stands between percent signs, but takes a plus for a plus.
  const end = parameters.size > 0 ? `?${String(parameters).replaceAll('+', '%20')}` : ''
  const urls = hosts.map(host => `${start}${host}${name}${end}`)
  if (!urls.every(url => URL.canParse(url))) return 'names a host that cannot be understood'
  return {
    engine: 'postgres',
    urls,
    readWrite: !ofReplicas && target !== 'any',
    connections,
    pooler: pooler === undefined ? undefined : pooler === 'true',
    schema,
    publicName,
    replicas: undefined,
  }
}

const isPoolSize = (count: number): boolean =>
  Number.isInteger(count) && count >= CONNECTIONS.min && count <= CONNECTIONS.max

/** `a:5432,b:5433`, or the parameters, which win as in libpq: the folder of a socket can stand in a parameter only. */
function hostsOf(authority: string, host: string | undefined, port: string | undefined): string[] {
  if (authority !== '' && !host) return authority.split(',', MAX_HOSTS + 1)
  const ports = (port ?? '').split(',')
  return (host || 'localhost').split(',', MAX_HOSTS + 1).map((name, place) => {
    const own = ports[place] ?? ports[0]
    const encoded = name.includes('/') ? encodeURIComponent(name) : name
    return own ? `${encoded}:${own}` : encoded
  })
}

/** `require` encrypts and trusts any certificate, unless an authority is named. What is wrong, if anything. */
function meanTlsAsLibpq(parameters: URLSearchParams): string | undefined {
  // The authorities of this machine are those that are trusted where none is named.
  if (parameters.get('sslrootcert') === 'system') {
    if ((parameters.get('sslmode') ?? 'verify-full') !== 'verify-full')
      return 'must have sslmode=verify-full with sslrootcert=system'
    parameters.delete('sslrootcert')
    parameters.set('sslmode', 'verify-full')
  }
  const mode = parameters.get('sslmode')
  if (mode === null) return undefined
  if (!SSL_MODES.includes(mode)) return `must have ${SSL_MODES.join(', ')} as sslmode`
  if (mode === 'verify-ca' && !parameters.has('sslrootcert'))
    return 'must have sslrootcert with sslmode=verify-ca'
  if (['require', 'verify-ca'].includes(mode)) parameters.set('uselibpqcompat', 'true')
  return undefined
}

/** Within the options of a connection white space or a backslash is led by a backslash. */
const quotedIdentifier = (name: string): string =>
  `"${name.replaceAll('"', '""')}"`.replace(/[\\\s]/g, character => `\\${character}`)
