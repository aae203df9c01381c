import { commandName } from '../command-name.ts'
import type { AddressConfig } from '../config/load.ts'
import { advice, type Finding, fail, ok } from '../store/engine.ts'

const TIMEOUT_MS = 3000
const UNSPECIFIED = new Map([
  ['0.0.0.0', '127.0.0.1'],
  ['::', '::1'],
])

interface Reply {
  readonly status: number
  readonly body: string
  readonly tookMs: number
}

/** Whether the service on this machine is ready. */
export async function reachLocal({ host, port, tls }: AddressConfig): Promise<Finding> {
  const url = `http${tls ? 's' : ''}://${hostOf(host)}:${port}/readyz`
  // The certificate names the public address, not one of this machine.
  const reply = await ask(url, { tls: { rejectUnauthorized: false } })
  if (typeof reply === 'string')
    return fail('service', `nothing responds at ${url} (${reply}). Start it with "${commandName()} serve"`)
  if (reply.status === 503)
    return fail('service', `${url} says 503: the store does not respond, or the service is stopping`)
  return reply.status === 200 && /^{"status":"ok"/.test(reply.body)
    ? ok('service', `${url} is ready, in ${reply.tookMs.toFixed(0)} ms`)
    : fail('service', `another program responds at ${url}. Set PORT to another one`)
}

/** Without a key every petstore responds the same, so none is sent. */
export async function reachPublic(baseUrl: string): Promise<Finding> {
  const url = `${baseUrl}/pets`
  const reply = await ask(url)
  if (typeof reply === 'string')
    return fail('public address', `nothing responds at ${url} (${reply}). Check DNS and the proxy`)
  return reply.status === 401 && reply.body.includes('"missing_api_key"')
    ? ok('public address', `${url} is a petstore, in ${reply.tookMs.toFixed(0)} ms`)
    : fail('public address', `${url} answers ${reply.status}, not as a petstore. Check the proxy`)
}

export async function reachMetrics(host: string, port: number): Promise<Finding> {
  const url = `http://${hostOf(host)}:${port}/metrics`
  const reply = await ask(url)
  if (typeof reply === 'string') return fail('metrics', `nothing responds at ${url} (${reply})`)
  return reply.body.includes('petstore_info')
    ? ok('metrics', url)
    : fail('metrics', `another program responds at ${url}. Set PETSTORE_METRICS_PORT to another one`)
}

/** Any response counts: collectors respond differently to an empty request. The service works without one. */
export async function reachCollector(url: string): Promise<Finding> {
  const reply = await ask(url)
  return typeof reply === 'string'
    ? advice('collector', `nothing responds at ${url} (${reply}), so spans are lost. Start the collector`)
    : ok('collector', `${url} answers`)
}

/** The response, or why there is none. */
async function ask(url: string, options: BunFetchRequestInit = {}): Promise<Reply | string> {
  const startedAt = performance.now()
  try {
    const signal = AbortSignal.timeout(TIMEOUT_MS)
    const response = await fetch(url, { ...options, signal, redirect: 'manual' })
    const body = await response.text()
    return { status: response.status, body, tookMs: performance.now() - startedAt }
  } catch (error) {
    // The code of a timeout is a meaningless number.
    const { code, message } = error as { code?: unknown; message: string }
    return typeof code === 'string' ? code : message
  }
}

/** An address to listen on as an address to connect to. */
export function hostOf(host: string): string {
  const address = UNSPECIFIED.get(host) ?? host
  return address.includes(':') ? `[${address}]` : address
}
