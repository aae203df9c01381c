import { codeOf, messageOf, OperatorError } from '../../operator-error.ts'
import type { TlsPair } from './tls.ts'

export const IDLE_TIMEOUT_SECONDS = 30

type Handlers = Pick<Bun.Serve.Options<undefined, string>, 'routes' | 'fetch' | 'error'>

interface Address {
  readonly host: string
  readonly port: number
  /** The variable that names the port, for the message where it cannot be used. */
  readonly variable: string
  /** Whether other processes of this service listen on it too; someone has made sure that no stranger does. */
  readonly isShared?: boolean
}

export const urlOf = (scheme: 'http' | 'https', host: string, port: number | undefined): string =>
  `${scheme}://${host.includes(':') ? `[${host}]` : host}:${port}`

/** A port that nothing else listens on: the one of the address, or any where it is 0. Says in a sentence why it cannot be used. */
export function findPort(address: Address): number {
  const server = open({ ...address, isShared: false }, { fetch: () => new Response() }, undefined)
  const { port = address.port } = server
  void server.stop(true)
  return port
}

/** The only file that talks to the runtime's listener. */
export class Listener {
  readonly #address: Address
  readonly #handlers: Handlers
  readonly #leaving = new Set<Promise<void>>()
  #server: Bun.Server<undefined>

  constructor(address: Address, handlers: Handlers, tls?: TlsPair) {
    this.#handlers = handlers
    // A listener that can be replaced shares its port; so whether the port is free is found out by one that does not.
    if (tls !== undefined && address.port !== 0 && !address.isShared) void findPort(address)
    this.#server = open(address, handlers, tls)
    this.#address = { ...address, port: this.#server.port ?? address.port }
  }

  get port(): number {
    return this.#address.port
  }

  get pendingRequests(): number {
    return this.#server.pendingRequests
  }

  /**
   * The runtime cannot change a certificate, so another listener takes the port over. The old one finishes what it has begun;
   * its idle connections are closed, and a connection that is being made in this moment may be.
   */
  replaceTls(tls: TlsPair): void {
    const old = this.#server
    this.#server = open(this.#address, this.#handlers, tls)
    const left = old.stop().finally(() => this.#leaving.delete(left))
    this.#leaving.add(left)
  }

  /** Ends at once, even with requests in progress. */
  close(): Promise<void> {
    return this.#server.stop(true)
  }

  /** Ends when all requests in progress are completed. */
  async stop(): Promise<void> {
    await Promise.all([this.#server.stop(), ...this.#leaving])
  }
}

function open(address: Address, handlers: Handlers, tls: TlsPair | undefined): Bun.Server<undefined> {
  try {
    return Bun.serve({
      hostname: address.host,
      port: address.port,
      ...(tls && { tls }),
      development: false,
      // Outside of development the runtime would share the port with any other process that listens on it.
      reusePort: tls !== undefined || address.isShared === true,
      idleTimeout: IDLE_TIMEOUT_SECONDS,
      // The runtime would refuse larger bodies before our code could check the key; our code reads none above its own limit.
      maxRequestBodySize: Number.MAX_SAFE_INTEGER,
      ...handlers,
    } as Bun.Serve.Options<undefined, string>)
  } catch (cause) {
    throw new OperatorError(reasonNotToListen(cause, address), {
      cause,
      exit: codeOf(cause) === 'EADDRINUSE' ? 'unavailable' : 'failed',
    })
  }
}

function reasonNotToListen(cause: unknown, { host, port, variable }: Address): string {
  const code = codeOf(cause)
  if (code === 'EADDRINUSE') return `Port ${port} on ${host} is in use. Set ${variable} to another one.`
  if (code === 'EACCES') return `Port ${port} may not be used by this user. Set ${variable} to 1024 or above.`
  return `Cannot listen on ${host}:${port}: ${messageOf(cause)}.`
}
