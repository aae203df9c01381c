import { type Service, type ServiceOptions, startService } from './service.ts'
import { type ProcessOptions, type ServiceProcess, startProcess } from './service-process.ts'

/** The values of one scrape, by name and labels as written: `petstore_requests_total{operation="getPet",status="200"}`. */
export class Scrape {
  readonly text: string
  readonly #figures: ReadonlyMap<string, number>

  constructor(text: string) {
    this.text = text
    const lines = text.split('\n').filter(line => line !== '' && !line.startsWith('#'))
    this.#figures = new Map(
      lines.map(line => [line.slice(0, line.lastIndexOf(' ')), Number(line.split(' ').at(-1))]),
    )
  }

  /** A value; undefined if there is no such series. */
  get(series: string): number | undefined {
    return this.#figures.get(series)
  }

  get names(): string[] {
    return [...this.#figures.keys()]
  }
}

type Measured<S extends Service> = S & { readonly metricsUrl: string }

/** A service that serves its metrics on a free port. */
export const startMeasured = async (options: ServiceOptions): Promise<Measured<Service>> =>
  withMetricsUrl(await startService(withMetrics(options)))

export const startMeasuredProcess = async (options: ProcessOptions): Promise<Measured<ServiceProcess>> =>
  withMetricsUrl(await startProcess(withMetrics(options)))

const withMetrics = <O extends ServiceOptions>(options: O): O => ({
  ...options,
  variables: { PETSTORE_METRICS_PORT: '0', ...options.variables },
})

async function withMetricsUrl<S extends Service>(service: S): Promise<Measured<S>> {
  const { url } = await service.output.entry(line => line.event === 'metrics-listening')
  return Object.assign(service, { metricsUrl: String(url) })
}

export const scrape = async (url: string): Promise<Scrape> => new Scrape(await (await fetch(url)).text())
