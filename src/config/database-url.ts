import { InvalidInput } from '../operator-error.ts'
import { CONNECTIONS, type Database } from '../store/database.ts'

const FORM =
  'must be "sqlite:" followed by the path of a file, or postgres://user:password@host:5432/database'
const SQLITE = /^sqlite:([^?#\0]+)$/
/** With libpq's meanings. `allow` and `prefer` are missing, because an attacker on the network could turn off their encryption. */
const SSL_MODES = ['disable', 'require', 'verify-ca', 'verify-full']

/** The only parser of a DATABASE_URL. Its errors never show the URL, which may contain a password. */
export function parseDatabaseUrl(text: string): Database {
  const [, path] = SQLITE.exec(text) ?? []
  if (path !== undefined && path.trim() !== path)
    throw new InvalidInput('must have no blanks around the path of the file')
  if (path !== undefined && !path.includes(':memory:')) return { engine: 'sqlite', path, publicName: text }
  if (!/^postgres(?:ql)?:\/\//.test(text)) throw new InvalidInput(FORM)
  // A user without a host is valid only with `?host=`, which specifies a socket's folder.
  const url = URL.parse(text) ?? URL.parse(text.replace('@/', '@localhost/'))
  const parameters = url?.searchParams ?? new URLSearchParams()
  if (/^[^/]+\/\/(?:[^@/?]*@)?[^/?]*,/.test(text) || parameters.get('host')?.includes(','))
    throw new InvalidInput('must contain one host; HAProxy or PgBouncer can find the primary of several')
  if (parameters.has('target_session_attrs'))
    throw new InvalidInput('must not have target_session_attrs; HAProxy or PgBouncer can find the primary')
  // A slash in a password must be escaped.
  if (url === null || url.pathname.includes('@'))
    throw new InvalidInput('contains a host that cannot be parsed')
  const limit = parameters.get('connection_limit')
  const connections = limit ? Number(limit) : undefined
  if (connections !== undefined && !isPoolSize(connections))
    throw new InvalidInput(`must have a connection_limit from ${CONNECTIONS.perThread} to ${CONNECTIONS.max}`)
  const pgbouncer = parameters.get('pgbouncer') ?? 'false'
  if (!['true', 'false'].includes(pgbouncer))
    throw new InvalidInput('must have pgbouncer=true or pgbouncer=false')
  meanTlsAsLibpq(parameters)
  return {
    engine: 'postgres',
    url: url.href,
    connections,
    pgbouncer: pgbouncer === 'true',
    publicName: withoutSecrets(text),
  }
}

const isPoolSize = (count: number): boolean =>
  Number.isInteger(count) && count >= CONNECTIONS.perThread && count <= CONNECTIONS.max

function meanTlsAsLibpq(parameters: URLSearchParams): void {
  const mode = parameters.get('sslmode')
  if (mode === null) return
  if (!SSL_MODES.includes(mode))
    throw new InvalidInput(`must have one of these as sslmode: ${SSL_MODES.join(', ')}`)
  if (mode === 'verify-ca' && !parameters.has('sslrootcert'))
    throw new InvalidInput('must have sslrootcert with sslmode=verify-ca')
  // By default, the driver treats `require` and `verify-ca` more strictly.
  parameters.set('uselibpqcompat', 'true')
}

/** Any URL, valid or not, without possible credentials: a password may contain any unescaped character. */
function withoutSecrets(url: string): string {
  const [start, end] = [url.indexOf('//') + 2, url.lastIndexOf('@') + 1]
  // An @ after a question mark may belong to a password or to a parameter, so nothing of the URL is shown.
  const shown = url.slice(start, end).includes('?') ? '' : url.slice(Math.max(start, end))
  return url.slice(0, start) + shown.replace(/\?.*$/s, '')
}
