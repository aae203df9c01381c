import { bad, type Read, readHost, readPort } from './setting-reader.ts'

export interface MetricsConfig {
  readonly host: string
  readonly port: number
}

export interface TracesConfig {
  /** Where spans are posted. */
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly serviceName: string
  /** The share of traces that begin here and are exported; a caller's decision wins. */
  readonly ratio: number
}

const HEADER_NAME = /^[!#$%&'*+\-.^_`|~\w]+$/
const HEADER_VALUE = /^[\t\x20-\x7e]*$/

export function readMetrics(read: Read): MetricsConfig | undefined {
  if (read('metricsPort') === undefined) return undefined
  return Object.freeze({ host: readHost(read, 'metricsHost'), port: readPort(read, 'metricsPort') })
}

export function readTraces(read: Read): TracesConfig | undefined {
  const endpoint = read('otlpEndpoint')
  if (endpoint === undefined) return undefined
  return Object.freeze({
    url: tracesUrl(endpoint),
    headers: headersOf(read('otlpHeaders') ?? ''),
    serviceName: read('serviceName') ?? '',
    ratio: ratioOf(read('traceRatio') ?? ''),
  })
}

/** The path of the OTLP specification, below whatever path the endpoint has. */
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

/** `name=value,name=value`, values percent-encoded, as OpenTelemetry writes them. */
function headersOf(text: string): Record<string, string> {
  const pairs = text.split(',').filter(pair => pair.trim() !== '')
  return Object.fromEntries(
    pairs.map(pair => {
      const [name = '', ...rest] = pair.split('=')
      const value = decoded(rest.join('=').trim())
      if (rest.length > 0 && HEADER_NAME.test(name.trim()) && value !== undefined && HEADER_VALUE.test(value))
        return [name.trim(), value]
      throw bad('otlpHeaders', 'must look like name=value,name=value')
    }),
  )
}

function decoded(value: string): string | undefined {
  try {
    return decodeURIComponent(value)
  } catch {
    return undefined
  }
}

function ratioOf(text: string): number {
  const ratio = Number(text)
  if (/^\d*\.?\d+$/.test(text) && ratio <= 1) return ratio
  throw bad('traceRatio', 'must be a number from 0 to 1')
}
