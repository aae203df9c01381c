import type { Service } from './service.ts'

/** The variables of a service that serves its metrics on a free port. */
export const MEASURED = { PETSTORE_METRICS_PORT: '0' }

/** The values of one scrape, by name and labels as written: `petstore_requests_total{operation="getPet",status="200"}`. */
export async function scrape({ output }: Service) {
  const url = String((await output.entry(line => line.event === 'metrics-listening')).url)
  const text = await (await fetch(url)).text()
  const lines = text.split('\n').filter(line => line !== '' && !line.startsWith('#'))
  const figures = new Map(
    lines.map(line => [line.slice(0, line.lastIndexOf(' ')), Number(line.split(' ').at(-1))]),
  )
  return { url, text, get: (series: string) => figures.get(series) }
}
