import { createPrivateKey, X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { TlsFiles } from '../config/load.ts'
import { codeOf, type Exit, InvalidInput, messageOf, OperatorError } from '../operator-error.ts'
import type { Fetch } from './turns.ts'

const IDLE_TIMEOUT_SECONDS = 30

export interface Address {
  readonly host: string
  readonly port: number
  /** The variable that names the port, for the message where it cannot be used. */
  readonly variable: string
  /** Whether other threads of this service listen on it too. It was checked before that no other program does. */
  readonly isShared?: boolean
  readonly tls?: TlsPair | undefined
}

interface Handlers {
  readonly routes?: Readonly<Record<string, Fetch>>
  readonly fetch: Fetch
  readonly error?: (cause: unknown) => Response
}

/** The only caller of `Bun.serve`. */
export function listen(address: Address, handlers: Handlers): Bun.Server<undefined> {
  const { host, port, tls, isShared = false } = address
  try {
    return Bun.serve({
      hostname: host,
      port,
      ...(tls && { tls: { cert: tls.cert, key: tls.key } }),
      development: false,
      // By default the runtime would share the port with any other program of this user.
      reusePort: isShared,
      idleTimeout: IDLE_TIMEOUT_SECONDS,
      // The runtime would refuse larger bodies before our code could check the key; our code reads none above its own limit.
      maxRequestBodySize: Number.MAX_SAFE_INTEGER,
      ...handlers,
    })
  } catch (cause) {
    const exit = EXITS[codeOf(cause)] ?? 'failed'
    throw new OperatorError(reasonNotToListen(cause, address), { cause, exit })
  }
}

/** A port that is in use may be free later; one that this user may not use never is. */
const EXITS: Readonly<Record<string, Exit>> = { EADDRINUSE: 'unavailable', EACCES: 'invalid' }

function reasonNotToListen(cause: unknown, { host, port, variable }: Address): string {
  const code = codeOf(cause)
  if (code === 'EADDRINUSE') return `Port ${port} on ${host} is in use. Set ${variable} to another one.`
  if (code === 'EACCES') return `Port ${port} may not be used by this user. Set ${variable} to 1024 or above.`
  return `Cannot listen on ${host}:${port}: ${messageOf(cause)}.`
}

/** Fails with a sentence if the service cannot listen on the address. */
export function assertFree(address: Address): void {
  void listen(address, { fetch: () => new Response() }).stop(true)
}

export const urlOf = (scheme: 'http' | 'https', host: string, port: number | undefined): string =>
  `${scheme}://${host.includes(':') ? `[${host}]` : host}:${port}`

/** The contents of the files: a certificate chain and its private key. */
export interface TlsPair {
  readonly cert: string
  readonly key: string
  /** The file of the certificate, and when it expires. */
  readonly file: string
  readonly expires: Date
}

/** Reads and checks the pair; throws a sentence that names the bad file. */
export function readTlsPair(files: TlsFiles): TlsPair {
  const pair = { cert: read(files.cert, 'certificate'), key: read(files.key, 'private key') }
  const certificate = parse(() => new X509Certificate(pair.cert), files.cert, 'PEM certificate')
  const key = parse(() => createPrivateKey(pair.key), files.key, 'PEM private key without a passphrase')
  if (!certificate.checkPrivateKey(key))
    throw new InvalidInput(`The private key ${files.key} does not belong to the certificate ${files.cert}.`)
  return { ...pair, file: files.cert, expires: certificate.validToDate }
}

function read(path: string, what: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (cause) {
    const exit = codeOf(cause) === 'ENOENT' ? 'missing' : 'invalid'
    throw new OperatorError(`The ${what} ${path} cannot be read (${codeOf(cause)}).`, { cause, exit })
  }
}

function parse<T>(attempt: () => T, path: string, what: string): T {
  try {
    return attempt()
  } catch {
    // The cause is left out: the text of a private key must not reach a log.
    throw new InvalidInput(`${path} does not hold a ${what}.`)
  }
}
