import { InvalidInput } from '../operator-error.ts'
import { CONNECTIONS, type Database } from '../store/database.ts'

const FORM =
  'must be "sqlite:" followed by the path of a file, or postgres://user:password@host:5432/database'
const SQLITE = /^sqlite:(?!.*:memory:)([^?#\0]+)$/
/** Mistakes in a path, and the rule that each breaks. SQLite would create a file or folder with that name. */
const PATH_RULES: readonly [RegExp, string][] = [
  [/^\s|\s$/, 'must have no whitespace around the path of the file'],
  [/^\/\//, 'must be written without //: sqlite:/folder/file.db, or sqlite:file.db in the current folder'],
  [/^[~"']|\$[\w({]|`/, 'must have a path without ~, $ and quotes, which only a shell expands'],
  [/(?:^|\/)\.{0,2}$/, 'must end in the name of a file'],
]
/** Groups: scheme, user and password, host and port, database, and parameters. */
const POSTGRES = /^(postgres(?:ql)?:\/\/)([^@/?#]*@)?([^@/?#]*)(\/[^@?#]*)?(\?[^@#]*)?$/
const ENCODED =
  'cannot be parsed: percent-encode the password (%25 for %, %23 for #, %2F for /, %3F for ?, %40 for @)'
const PARAMETERS =
  'sslmode, sslrootcert, sslcert, sslkey, pgbouncer, connection_limit, host, port, user, password, options, application_name'
/** With libpq's meanings. `allow` and `prefer` are missing, because an attacker on the network could turn off their encryption. */
const SSL_MODES = ['disable', 'require', 'verify-ca', 'verify-full']

/** The only parser of a DATABASE_URL. Its errors never show the URL, which may contain a password. */
export function parseDatabaseUrl(text: string): Database {
  const [, path] = SQLITE.exec(text) ?? []
  if (path !== undefined) {
    const [, rule] = PATH_RULES.find(([mistake]) => mistake.test(path)) ?? []
    if (rule !== undefined) throw new InvalidInput(rule)
    return { engine: 'sqlite', path, publicName: text }
  }
  if (!/^postgres(?:ql)?:\/\//.test(text)) throw new InvalidInput(FORM)
  const [whole, scheme, user = '', host = '', database = '', query = ''] = POSTGRES.exec(text) ?? []
  if (whole === undefined || !isDecodable(text)) throw new InvalidInput(ENCODED)
  const parameters = new URLSearchParams(query)
  const names = [...parameters.keys()]
  // An unknown name is not shown, because after an unescaped & it is part of a password. Of two values, the driver would use the other.
  if (!names.every(name => PARAMETERS.split(', ').includes(name)) || new Set(names).size < names.length)
    throw new InvalidInput(`must have only these parameters, each once: ${PARAMETERS}`)
  if (host.includes(',') || parameters.get('host')?.includes(','))
    throw new InvalidInput('must contain one host; HAProxy or PgBouncer can find the primary of several')
  const url = URL.parse(`${scheme}${user}${host || 'localhost'}${database}`)
  if (url === null) throw new InvalidInput('contains a host that cannot be parsed')
  const limit = parameters.get('connection_limit')
  const connections = limit ? Number(limit) : undefined
  if (connections !== undefined && !isPoolSize(connections))
    throw new InvalidInput(`must have a connection_limit from ${CONNECTIONS.perThread} to ${CONNECTIONS.max}`)
  const pgbouncer = parameters.get('pgbouncer') ?? 'false'
  if (!['true', 'false'].includes(pgbouncer))
    throw new InvalidInput('must have pgbouncer=true or pgbouncer=false')
  meanTlsAsLibpq(parameters)
  url.search = `${parameters}`
  return {
    engine: 'postgres',
    url: url.href,
    connections,
    pgbouncer: pgbouncer === 'true',
    publicName: `${scheme}${host}${database}`,
  }
}

/** The driver retries for ever with text that it cannot decode. */
function isDecodable(text: string): boolean {
  try {
    decodeURIComponent(text)
    return true
  } catch {
    return false
  }
}

const isPoolSize = (count: number): boolean =>
  Number.isInteger(count) && count >= CONNECTIONS.perThread && count <= CONNECTIONS.max

function meanTlsAsLibpq(parameters: URLSearchParams): void {
  const mode = parameters.get('sslmode')
  if (mode === null) return
  if (!SSL_MODES.includes(mode))
    throw new InvalidInput(`must have one of these as sslmode: ${SSL_MODES.join(', ')}`)
  if (mode === 'verify-ca' && !parameters.get('sslrootcert'))
    throw new InvalidInput('must have sslrootcert with sslmode=verify-ca')
  // By default, the driver treats `require` and `verify-ca` more strictly.
  parameters.set('uselibpqcompat', 'true')
}
