import type { TlsPair } from '../config/tls.ts'
import { codeOf, exitOf, OperatorError, plainReason } from '../operator-error.ts'
import type { Fetch } from './turns.ts'

const IDLE_TIMEOUT_SECONDS = 30

interface Address {
  readonly host: string
  readonly port: number
  /** The setting of the port, which the message names if the port cannot be used. */
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
    throw new OperatorError(reasonNotToListen(cause, address), { cause, exit: exitOf(cause) })
  }
}

function reasonNotToListen(cause: unknown, { host, port, variable }: Address): string {
  const code = codeOf(cause)
  if (code === 'EADDRINUSE') return `Port ${port} on ${host} is in use. Set ${variable} to another one.`
  if (code === 'EACCES') return `Port ${port} may not be used by this user. Set ${variable} to 1024 or above.`
  if (code === 'EADDRNOTAVAIL')
    return `${host} is not an address of this machine. Set HOST to one of its addresses, or to 0.0.0.0 for all.`
  return `The service cannot listen on port ${port} of ${host}: ${plainReason(cause)}.`
}

/** Throws if the address cannot be used, with a message that says why. */
export function assertFree(address: Address): void {
  void listen(address, { fetch: () => new Response() }).stop(true)
}
