import type { AddressConfig } from '../../config/load.ts'

const PATIENCE_MS = 3000
const ANYWHERE = new Map([
  ['0.0.0.0', '127.0.0.1'],
  ['::', '::1'],
])

export interface Reply {
  readonly status: number
  readonly headers: Headers
  readonly body: string
  readonly tookMs: number
}

/** The response, or why there is none. */
export async function ask(url: string, options: BunFetchRequestInit = {}): Promise<Reply | string> {
  const started = performance.now()
  try {
    const response = await fetch(url, {
      ...options,
      signal: AbortSignal.timeout(PATIENCE_MS),
      redirect: 'manual',
    })
    return {
      status: response.status,
      headers: response.headers,
      body: await response.text(),
      tookMs: performance.now() - started,
    }
  } catch (error) {
    // The code of a timeout is a meaningless number.
    const { code, message } = error as { code?: unknown; message: string }
    return typeof code === 'string' ? code : message
  }
}

/** The certificate names the public address, not one of this machine. */
export const askLocal = (url: string): Promise<Reply | string> =>
  ask(url, { tls: { rejectUnauthorized: false } })

/** The local address of the service with these settings. */
export const localUrl = ({ host, port, tls }: AddressConfig): string =>
  `http${tls ? 's' : ''}://${hostOf(host)}:${port}`

/** An address to listen on as an address to connect to. */
export function hostOf(host: string): string {
  const address = ANYWHERE.get(host) ?? host
  return address.includes(':') ? `[${address}]` : address
}
