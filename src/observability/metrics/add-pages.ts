import { METRICS, type Metric } from './catalogue.ts'

const CATALOGUE: Readonly<Record<string, Metric>> = METRICS

interface Family {
  readonly name: string
  /** The lines that introduce it. */
  readonly head: string
  readonly series: Map<string, number>
}

/** One page of metrics out of those of several processes. Of those that are `gone`, only what they counted is left. */
export function addPages(pages: readonly string[], gone: readonly string[]): string {
  const families = new Map<string, Family>()
  for (const page of pages) addPage(families, page, () => true)
  for (const page of gone) addPage(families, page, ({ type }) => type !== 'gauge')
  return Object.keys(CATALOGUE)
    .flatMap(name => families.get(name) ?? [])
    .map(({ head, series }) => head + [...series].map(([labels, value]) => `${labels} ${value}\n`).join(''))
    .join('')
}

function addPage(families: Map<string, Family>, page: string, isWanted: (metric: Metric) => boolean): void {
  let family: Family | undefined
  for (const line of page.split('\n')) {
    const [, name] = /^# HELP (\S+)/.exec(line) ?? []
    if (name !== undefined) family = begin(families, name, isWanted)
    if (family === undefined || line === '' || line.startsWith('#')) continue
    const end = line.lastIndexOf(' ')
    const series = line.slice(0, end)
    const known = family.series.get(series)
    const value = Number(line.slice(end + 1))
    family.series.set(series, known === undefined ? value : together(family.name, known, value))
  }
}

function begin(
  families: Map<string, Family>,
  name: string,
  isWanted: (metric: Metric) => boolean,
): Family | undefined {
  const metric = CATALOGUE[name]
  if (metric === undefined || !isWanted(metric)) return undefined
  const head = `# HELP ${name} ${metric.help}\n# TYPE ${name} ${metric.type}\n`
  const family = families.get(name) ?? { name, head, series: new Map<string, number>() }
  families.set(name, family)
  return family
}

function together(name: string, one: number, other: number): number {
  const across = CATALOGUE[name]?.across
  return across === undefined ? one + other : Math[across](one, other)
}
