import type { ProcessCounts } from '../../api/context.ts'
import { commandName } from '../../command-name.ts'
import type { AddressConfig, Config, MetricsConfig } from '../../config/load.ts'
import { advice, type Finding, fail, ok } from '../../store/diagnosis.ts'
import { ask, askLocal, hostOf, localUrl, type Reply } from '../places/ask.ts'

/** Whether the service answers here, and under its public address. */
export async function reachFindings(config: Config): Promise<Finding[]> {
  const baseUrl = config.baseUrls[config.environment]
  return Promise.all([
    config.port === 0 ? ok('service', 'PORT is 0, so its address is unknown') : reachLocal(config),
    ...(baseUrl === undefined ? [] : [underPublicAddress(baseUrl)]),
    ...(config.metrics?.port ? [reachMetrics(config.metrics)] : []),
    ...(config.tracesUrl === undefined ? [] : [reachCollector(config.tracesUrl)]),
  ])
}

async function reachMetrics({ host, port }: MetricsConfig): Promise<Finding> {
  const url = `http://${hostOf(host)}:${port}/metrics`
  const answer = await ask(url)
  if (typeof answer === 'string')
    return fail('metrics', `nothing responds at ${url} (${answer}). Start the service with the same settings`)
  return answer.body.includes('petstore_info')
    ? ok('metrics', url)
    : fail('metrics', `another program responds at ${url}. Set PETSTORE_METRICS_PORT to another one`)
}

/** Whether the metrics could be served: the port is free, or a petstore's metrics are there already. */
export async function metricsPortFinding(metrics: MetricsConfig): Promise<Finding> {
  try {
    Bun.listen({ hostname: metrics.host, port: metrics.port, socket: { data() {} } }).stop(true)
    return ok('metrics', 'the port is free')
  } catch {
    const found = await reachMetrics(metrics)
    return found.level === 'ok'
      ? found
      : fail(
          'metrics',
          `port ${metrics.port} on ${metrics.host} cannot be listened on. Set PETSTORE_METRICS_PORT to another one`,
        )
  }
}

/** Any response counts: collectors respond differently to an empty request. The service works without one. */
async function reachCollector(url: string): Promise<Finding> {
  const answer = await ask(url)
  return typeof answer === 'string'
    ? advice('collector', `nothing responds at ${url} (${answer}), so spans are lost. Start the collector`)
    : ok('collector', `${url} answers`)
}

/** Whether the service on this machine can serve. */
export async function reachLocal(config: AddressConfig): Promise<Finding> {
  const url = `${localUrl(config)}/readyz`
  const answer = await askLocal(url)
  if (typeof answer === 'string')
    return fail('service', `nothing responds at ${url} (${answer}). Start it with "${commandName()} serve"`)
  if (answer.status === 503)
    return fail('service', `${url} says 503: the store does not respond, or the service is stopping`)
  const readiness = answer.status === 200 ? readinessIn(answer) : undefined
  if (readiness === undefined)
    return fail('service', `another program responds at ${url}. Set PORT to another one`)
  const text = `${url} is ready, in ${answer.tookMs.toFixed(0)} ms`
  if (readiness.processes === undefined) return ok('service', text)
  const { serving, wanted } = readiness.processes
  return serving === wanted
    ? ok('service', `${text}, with ${wanted} processes`)
    : advice(
        'service',
        `${text}, but only ${serving} of ${wanted} processes serve. See its log for "process-ended"`,
      )
}

/** Undefined where it is not the answer of a petstore that is ready. */
function readinessIn({ body }: Reply): { readonly processes?: ProcessCounts } | undefined {
  try {
    const answer = JSON.parse(body) as { status?: unknown; processes?: ProcessCounts } | null
    return answer?.status === 'ok' ? answer : undefined
  } catch {
    return undefined
  }
}

/** Without a key every petstore responds the same, so none is sent. */
async function underPublicAddress(baseUrl: string): Promise<Finding> {
  const url = `${baseUrl}/pets`
  const answer = await ask(url)
  if (typeof answer === 'string')
    return fail(
      'public address',
      `nothing responds at ${url} (${answer}). Check DNS, the proxy and the base URL`,
    )
  return answer.status === 401 && answer.body.includes('"missing_api_key"')
    ? ok('public address', `${url} is a petstore, in ${answer.tookMs.toFixed(0)} ms`)
    : fail(
        'public address',
        `${url} answers ${answer.status}, not as a petstore. Check the proxy and the base URL`,
      )
}
