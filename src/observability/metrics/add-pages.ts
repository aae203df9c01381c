import { METRICS, type Metric } from './catalogue.ts'
import { headOf } from './exposition.ts'

const CATALOGUE: Readonly<Record<string, Metric>> = METRICS

/** The value of each series, by metric. */
type Sums = Map<string, Map<string, number>>

/**
 * Combines the pages of several processes into one. `gone` are pages of processes that have ended: their counters and
 * histograms still count, but their gauges do not.
 */
export function addPages(pages: readonly string[], gone: readonly string[]): string {
  const sums: Sums = new Map()
  for (const page of pages) addPage(sums, page, () => true)
  for (const page of gone) addPage(sums, page, ({ type }) => type !== 'gauge')
  return Object.entries(CATALOGUE)
    .filter(([name]) => sums.has(name))
    .map(([name, metric]) => headOf(name, metric) + linesOf(sums.get(name)))
    .join('')
}

const linesOf = (series: Iterable<readonly [string, number]> = []): string =>
  [...series].map(([labels, value]) => `${labels} ${value}\n`).join('')

function addPage(sums: Sums, page: string, isWanted: (metric: Metric) => boolean): void {
  for (const family of page.split(/^# HELP /m)) {
    const name = family.slice(0, family.indexOf(' '))
    const metric = CATALOGUE[name]
    if (metric === undefined || !isWanted(metric)) continue
    const series = sums.get(name) ?? new Map<string, number>()
    sums.set(name, series)
    // The lines before these introduce the metric.
    for (const line of family.trimEnd().split('\n').slice(2)) {
      const end = line.lastIndexOf(' ')
      const labels = line.slice(0, end)
      const value = Number(line.slice(end + 1))
      const known = series.get(labels)
      series.set(labels, known === undefined ? value : combine(metric, known, value))
    }
  }
}

const combine = ({ across }: Metric, one: number, other: number): number =>
  across === undefined ? one + other : Math[across](one, other)
