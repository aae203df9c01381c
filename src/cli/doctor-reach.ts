import { commandName } from '../command-name.ts'
import type { Config } from '../config.ts'
import type { MetricsConfig, TracesConfig } from '../observability-config.ts'
import { advice, type Finding, mend, ok } from '../store/diagnosis.ts'

const PATIENCE_MS = 3000
const ANYWHERE = new Map([
  ['0.0.0.0', '127.0.0.1'],
  ['::', '::1'],
])

/** Whether the service answers here, and under its public address. */
export async function reachFindings(config: Config): Promise<Finding[]> {
  const baseUrl = config.baseUrls[config.environment]
  return Promise.all([
    config.port === 0 ? ok('service', 'PORT is 0, so its address is not known here') : reachLocal(config),
    ...(baseUrl === undefined ? [] : [underPublicAddress(baseUrl)]),
    ...(config.metrics?.port ? [reachMetrics(config.metrics)] : []),
    ...(config.traces === undefined ? [] : [reachCollector(config.traces)]),
  ])
}

/** An address to listen on as one to ask. */
function hostOf(host: string): string {
  const address = ANYWHERE.get(host) ?? host
  return address.includes(':') ? `[${address}]` : address
}

async function reachMetrics({ host, port }: MetricsConfig): Promise<Finding> {
  const url = `http://${hostOf(host)}:${port}/metrics`
  const answer = await ask(url)
  if (typeof answer === 'string')
    return mend('metrics', `nothing answers at ${url} (${answer}). Start the service with the same settings`)
  return answer.body.includes('petstore_info')
    ? ok('metrics', url)
    : mend('metrics', `another program answers at ${url}. Set PETSTORE_METRICS_PORT to another one`)
}

/** Any answer will do: what a collector says to an empty question is its own affair. A service goes on without one. */
async function reachCollector({ url }: TracesConfig): Promise<Finding> {
  const answer = await ask(url)
  return typeof answer === 'string'
    ? advice('collector', `nothing answers at ${url} (${answer}), so spans are lost. Start the collector`)
    : ok('collector', `${url} answers`)
}

/** Whether the service on this machine can serve. */
export async function reachLocal({ host, port, tls }: Config): Promise<Finding> {
  const url = `http${tls ? 's' : ''}://${hostOf(host)}:${port}/readyz`
  // The certificate names the public address, not this one.
  const answer = await ask(url, { tls: { rejectUnauthorized: false } })
  if (typeof answer === 'string')
    return mend('service', `nothing answers at ${url} (${answer}). Start it: ${commandName()} serve`)
  if (answer.status === 503)
    return mend('service', `${url} says 503: the store cannot answer, or it is stopping`)
  return isReady(answer)
    ? ok('service', `${url} is ready, in ${answer.tookMs.toFixed(0)} ms`)
    : mend('service', `another program answers at ${url}. Set PORT to another one`)
}

const isReady = ({ status, body }: Answer): boolean => status === 200 && body === '{"status":"ok"}'

/** Without a key every petstore says the same, so none needs to be sent. */
async function underPublicAddress(baseUrl: string): Promise<Finding> {
  const url = `${baseUrl}/pets`
  const answer = await ask(url)
  if (typeof answer === 'string')
    return mend(
      'public address',
      `nothing answers at ${url} (${answer}). Check DNS, the proxy and the base URL`,
    )
  return answer.status === 401 && answer.body.includes('"missing_api_key"')
    ? ok('public address', `${url} is a petstore, in ${answer.tookMs.toFixed(0)} ms`)
    : mend(
        'public address',
        `${url} answers ${answer.status}, not as a petstore. Check the proxy and the base URL`,
      )
}

interface Answer {
  readonly status: number
  readonly body: string
  readonly tookMs: number
}

/** The answer, or why there is none. */
async function ask(url: string, options: BunFetchRequestInit = {}): Promise<Answer | string> {
  const started = performance.now()
  try {
    const response = await fetch(url, {
      ...options,
      signal: AbortSignal.timeout(PATIENCE_MS),
      redirect: 'manual',
    })
    return { status: response.status, body: await response.text(), tookMs: performance.now() - started }
  } catch (error) {
    return (error as { code?: string }).code ?? (error as Error).message
  }
}
