import { type Level, LOG_FORMATS, LOG_LEVELS, type LogFormat } from '../observability/levels.ts'
import { bad, type Read, readChoice, readHost, readPort } from './setting-reader.ts'

export interface LogConfig {
  readonly level: Level
  readonly format: LogFormat
}

export interface MetricsConfig {
  readonly host: string
  readonly port: number
}

export interface TracesConfig {
  /** Where spans are posted. */
  readonly url: string
}

export const readLog = (read: Read): LogConfig =>
  Object.freeze({
    level: readChoice(read, 'logLevel', LOG_LEVELS),
    format: readChoice(read, 'logFormat', LOG_FORMATS),
  })

export function readMetrics(read: Read): MetricsConfig | undefined {
  if (read('metricsPort') === undefined) return undefined
  return Object.freeze({ host: readHost(read, 'metricsHost'), port: readPort(read, 'metricsPort') })
}

export function readTraces(read: Read): TracesConfig | undefined {
  const endpoint = read('otlpEndpoint')
  if (endpoint === undefined) return undefined
  return Object.freeze({ url: tracesUrl(endpoint) })
}

/** The path of the OTLP specification, below the endpoint's own path. */
function tracesUrl(endpoint: string): string {
  const url = URL.parse(endpoint)
  if (
    url === null ||
    !/^https?:$/.test(url.protocol) ||
    url.search ||
    url.hash ||
    url.username ||
    url.password
  )
    throw bad('otlpEndpoint', 'must be an http or https address, such as http://127.0.0.1:4318')
  return `${url.href.replace(/\/$/, '')}/v1/traces`
}
