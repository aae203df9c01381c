import type { Observe } from '../events.ts'
import { Exporter } from './exporter.ts'
import { Tracing } from './tracing.ts'

export interface TracesOptions {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly ratio: number
  readonly serviceName: string
  readonly version: string
  readonly environment: string
  readonly report: Observe
}

/** The one way into this folder: it is loaded only where traces are wanted. */
export function startTracing(options: TracesOptions): Tracing {
  const { url, headers, report, ratio, serviceName, version, environment } = options
  const resource = {
    'service.name': serviceName,
    'service.version': version,
    'service.instance.id': crypto.randomUUID(),
    'deployment.environment.name': environment,
  }
  return new Tracing(new Exporter({ url, headers, resource, report }), ratio)
}
