import { OperatorError } from '../../../operator-error.ts'

export interface Hosts {
  /** One connection string a host, in the order of the URL. */
  readonly urls: readonly string[]
  /** Whether only a host that takes writes will do. */
  readonly readWrite: boolean
}

const URL_PARTS = /^(postgres(?:ql)?:\/\/(?:[^@/]*@)?)([^/?]+)(\/[^?]*)?(?:\?(.*))?$/
const TARGET = 'target_session_attrs'
const TARGETS = ['any', 'read-write']

/** Takes a URL apart that may name several hosts: `postgres://a:5432,b:5433/db?target_session_attrs=read-write`. */
export function parseHosts(databaseUrl: string): Hosts {
  const parts = URL_PARTS.exec(databaseUrl)
  if (parts === null)
    throw new OperatorError('DATABASE_URL must look like postgres://user:password@host:5432/database.', {
      exit: 'invalid',
    })
  const [, start = '', hosts = '', database = '', query = ''] = parts
  const parameters = new URLSearchParams(query)
  // Among several hosts are standbys, and on one of those the service could not add an animal.
  const targets = hosts.includes(',') ? TARGETS.slice(1) : TARGETS
  const target = parameters.get(TARGET) ?? targets[0]
  if (target === undefined || !targets.includes(target))
    throw new OperatorError(`${TARGET} in DATABASE_URL must be ${targets.join(' or ')}.`, { exit: 'invalid' })
  parameters.delete(TARGET)
  const end = parameters.size > 0 ? `?${parameters}` : ''
  const urls = hosts.split(',').map(host => `${start}${host}${database}${end}`)
  if (urls.some(url => !URL.canParse(url)))
    throw new OperatorError('DATABASE_URL names a host that cannot be understood.', { exit: 'invalid' })
  return { urls, readWrite: target === 'read-write' }
}

/** The host of a connection string as people may see it. */
export const hostOf = (url: string): string => new URL(url).host
