import { CONNECTIONS, type PostgresDatabase } from '../store/database.ts'

/** As libpq means them. Not `allow` and `prefer`: a machine in between could take the encryption away. */
const SSL_MODES = ['disable', 'require', 'verify-ca', 'verify-full']
/** As Prisma names the size of the pool; node-postgres calls it `max`. */
const LIMITS = ['connection_limit', 'max']

/** The database that a URL names, or what is wrong with it; undefined where it is none of PostgreSQL. */
export function parsePostgres(text: string, publicName: string): PostgresDatabase | string | undefined {
  if (!/^postgres(?:ql)?:\/\//.test(text)) return undefined
  // A user without a host is valid only with `?host=`, which names the folder of a socket.
  const url = URL.parse(text) ?? URL.parse(text.replace('@/', '@localhost/'))
  const parameters = url?.searchParams ?? new URLSearchParams()
  if (/^[^/]+\/\/(?:[^@/?]*@)?[^/?]*,/.test(text) || parameters.get('host')?.includes(','))
    return 'must name one host: HAProxy or PgBouncer can lead to the primary of several'
  // A slash in a password must be escaped.
  if (url === null || url.pathname.includes('@')) return 'names a host that cannot be understood'
  const limit = LIMITS.map(name => parameters.get(name)).find(value => value)
  const connections = limit ? Number(limit) : undefined
  if (connections !== undefined && !isPoolSize(connections))
    return `must have a number from ${CONNECTIONS.min} to ${CONNECTIONS.max} as ${LIMITS.join(' or ')}`
  const pgbouncer = parameters.get('pgbouncer') ?? 'false'
  if (!['true', 'false'].includes(pgbouncer)) return 'must have true or false as pgbouncer'
  const schema = parameters.get('schema') || undefined
  if (schema !== undefined && pgbouncer === 'true')
    return 'cannot have both schema and pgbouncer; let the role look there: ALTER ROLE … SET search_path = …'
  const wrongTls = meanTlsAsLibpq(parameters)
  if (wrongTls !== undefined) return wrongTls
  return {
    engine: 'postgres',
    url: url.href,
    connections,
    pgbouncer: pgbouncer === 'true',
    schema,
    publicName,
  }
}

const isPoolSize = (count: number): boolean =>
  Number.isInteger(count) && count >= CONNECTIONS.min && count <= CONNECTIONS.max

/** What is wrong, if anything. */
function meanTlsAsLibpq(parameters: URLSearchParams): string | undefined {
  // The authorities of this machine are those that are trusted where none is named.
  if (parameters.get('sslrootcert') === 'system') {
    if ((parameters.get('sslmode') ?? 'verify-full') !== 'verify-full')
      return 'must have sslmode=verify-full with sslrootcert=system'
    parameters.delete('sslrootcert')
    parameters.set('sslmode', 'verify-full')
  }
  const mode = parameters.get('sslmode')
  if (mode !== null && !SSL_MODES.includes(mode)) return `must have ${SSL_MODES.join(', ')} as sslmode`
  if (mode === 'verify-ca' && !parameters.has('sslrootcert'))
    return 'must have sslrootcert with sslmode=verify-ca'
  // The driver's own meaning of `require` and `verify-ca` is stricter.
  if (mode !== null) parameters.set('uselibpqcompat', 'true')
  return undefined
}
