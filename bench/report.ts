import { CONTESTANTS, type Contestant } from './contestants.ts'
import type { Round } from './measure.ts'
import { WORKLOADS, type Workload } from './workloads.ts'

export interface Results {
  readonly date: string
  readonly revision: string
  readonly machine: string
  readonly settings: string
  /** Milliseconds of processor time until the service was ready. */
  readonly startsMs: readonly number[]
  readonly rounds: readonly Round[]
}

interface Spread {
  readonly median: number
  readonly min: number
  readonly max: number
}

type Rounds = readonly Round[]
type Table = readonly (readonly string[])[]

/** Besides those of the workloads: at most these two, at least these shares of a small store and of a cached page. */
const TARGETS = { startMs: 150, tailOfCreations: 3, growth: 0.9, lastPageOnPostgres: 0.6 }

/** Four threads, with one thread as 1: at most this processor time per request, at least this throughput. */
const FOUR_THREADS: Readonly<Partial<Record<Workload, { readonly cpu?: number; readonly rate?: number }>>> = {
  list20: { cpu: 1.15 },
  create: { cpu: 1.65 },
  'slow-disk': { rate: 0.9 },
  'random-pages': { cpu: 1.7 },
}

const rate = ({ perSecond }: Round): number => perSecond
const perCpuSecond = ({ perSecond, serverCores }: Round): number => perSecond / serverCores
const cpuPerRequest = ({ perSecond, serverCores }: Round): number => serverCores / perSecond
const tail = ({ p50Ms, p99Ms }: Round): number => p99Ms / p50Ms

function spread(values: readonly number[]): Spread | undefined {
  const sorted = values.filter(Number.isFinite).toSorted((a, b) => a - b)
  if (sorted.length === 0) return undefined
  const at = (index: number): number => sorted[index] ?? Number.NaN
  const middle = (sorted.length - 1) / 2
  const median = (at(Math.floor(middle)) + at(Math.ceil(middle))) / 2
  return { median, min: at(0), max: at(sorted.length - 1) }
}

/** A figure of some rounds divided by that of others, round by round, so that a slow minute affects both. */
function ratio(own: Rounds, others: Rounds, figure = rate): Spread | undefined {
  const divisors = new Map(others.map(each => [each.round, figure(each)]))
  return spread(own.map(each => figure(each) / (divisors.get(each.round) ?? Number.NaN)))
}

const short = (value: number): string =>
  value >= 100 ? value.toFixed(0) : value.toFixed(value >= 10 ? 1 : 2)

/** In bold if the target is missed. */
function ranged(found: Spread | undefined, isMissed: (median: number) => boolean = () => false): string {
  if (found === undefined) return ''
  const text = `${short(found.median)} (${short(found.min)}–${short(found.max)})`
  return isMissed(found.median) ? `**${text}**` : text
}

const workloadsIn = (rounds: Rounds): Workload[] => [...new Set(rounds.map(({ workload }) => workload))]

const contestantsIn = (rounds: Rounds, ...kinds: Contestant['kind'][]): Contestant[] =>
  CONTESTANTS.filter(
    ({ name, kind }) => kinds.includes(kind) && rounds.some(({ contestant }) => contestant === name),
  )

/** In the order of the first round, which begins with the size that everyone's store has. */
const sizesOf = (rounds: Rounds, workload: Workload): number[] => [
  ...new Set(rounds.filter(each => each.workload === workload).map(({ animals }) => animals)),
]

const of = (rounds: Rounds, name: string, workload: Workload, size = sizesOf(rounds, workload)[0]): Round[] =>
  rounds.filter(each => each.contestant === name && each.workload === workload && each.animals === size)

const shareOfFloor = (rounds: Rounds, workload: Workload, figure = rate): Spread | undefined =>
  ratio(of(rounds, 'service', workload), of(rounds, 'floor', workload), figure)

function ownTable(rounds: Rounds): Table {
  const rows = workloadsIn(rounds).map(workload => {
    const { title, target = 0 } = WORKLOADS[workload]
    const own = of(rounds, 'service', workload)
    const memory = spread(own.map(({ residentMiB }) => residentMiB))?.median ?? 0
    return [
      title,
      ranged(shareOfFloor(rounds, workload), median => median < target),
      target > 0 ? `≥ ${target}` : '',
      ranged(shareOfFloor(rounds, workload, perCpuSecond)),
      ranged(shareOfFloor(rounds, workload, ({ p50Ms }) => p50Ms)),
      ranged(shareOfFloor(rounds, workload, ({ p99Ms }) => p99Ms)),
      ranged(spread(own.map(tail)), median => workload === 'create' && median > TARGETS.tailOfCreations),
      `${Math.round(memory)} MiB`,
      String(own.reduce((sum, { failures }) => sum + failures, 0)),
    ]
  })
  return [
    ['Work', 'Throughput', 'Target', 'Per CPU second', 'p50', 'p99', 'p99 of its p50', 'Memory', 'Failed'],
    ...rows,
  ]
}

/** Contestants beside each other under each workload. */
function matrix(
  rounds: Rounds,
  contestants: readonly Contestant[],
  cell: (name: string, workload: Workload) => Spread | undefined,
): Table {
  const rows = workloadsIn(rounds).map(workload => [
    WORKLOADS[workload].title,
    ...contestants.map(({ name }) => ranged(cell(name, workload))),
  ])
  return [['Work', ...contestants.map(({ title }) => title)], ...rows]
}

function fourThreadsTable(rounds: Rounds): Table {
  const rows = workloadsIn(rounds.filter(({ contestant }) => contestant === 'four')).map(workload => {
    const { cpu, rate: least } = FOUR_THREADS[workload] ?? {}
    const [four, one] = [of(rounds, 'four', workload), of(rounds, 'service', workload)]
    return [
      WORKLOADS[workload].title,
      ranged(ratio(four, one, cpuPerRequest), median => cpu !== undefined && median > cpu),
      cpu === undefined ? '' : `≤ ${cpu}`,
      ranged(ratio(four, one), median => least !== undefined && median < least),
      least === undefined ? '' : `≥ ${least}`,
    ]
  })
  return [['Work', 'Processor time per request', 'Target', 'Throughput', 'Target'], ...rows]
}

function growthTable(rounds: Rounds): Table {
  const grown = workloadsIn(rounds)
    .map(workload => ({ workload, sizes: sizesOf(rounds, workload).toSorted((a, b) => a - b) }))
    .filter(({ sizes }) => sizes.length > 1)
  const large = [...new Set(grown.flatMap(({ sizes }) => sizes.slice(1)))]
  const rows = grown.map(({ workload, sizes: [least = 0] }) => {
    const share = (size: number, figure: (round: Round) => number) =>
      ratio(of(rounds, 'service', workload, size), of(rounds, 'service', workload, least), figure)
    const cells = large
      .flatMap(size => [share(size, rate), share(size, perCpuSecond)])
      .map(found => ranged(found, median => median < TARGETS.growth))
    return [`${WORKLOADS[workload].title}, with ${least.toLocaleString('en')} as 1`, ...cells]
  })
  const heads = large.flatMap(size => [`${size.toLocaleString('en')} animals`, 'per CPU second'])
  return [['Work', ...heads], ...rows]
}

/** Without the rows that say nothing; nothing at all without the others. */
function section(title: string, text: string, [head = [], ...rows]: Table): string[] {
  const full = rows.filter(([, ...cells]) => cells.some(Boolean))
  if (full.length === 0) return []
  const lines = [head, head.map(() => '---'), ...full].map(cells => `| ${cells.join(' | ')} |`)
  return [`## ${title}\n\n${text}\n\n${lines.join('\n')}`]
}

export function report({ rounds, startsMs, settings, machine, revision, date }: Results): string {
  const starts = ranged(spread(startsMs), median => median > TARGETS.startMs)
  const lastPage = ratio(of(rounds, 'postgres', 'last-page'), of(rounds, 'postgres', 'list20'))
  const sections = [
    `# Benchmark

${settings}. Each figure is the median of the rounds, with the least and the greatest in parentheses; a bold
one misses its target. Only ratios are claimed: they compare what ran side by side on one machine.

${machine}; revision ${revision}, ${date.slice(0, 10)}.

The service was ready after ${starts} ms of processor time; target: at most ${TARGETS.startMs}.`,
    ...section(
      'The service beside the floor',
      `Throughput and latency of the service, with a bare Bun.serve that only sends the same answers as 1. Then the tail of its own
latency (target for creations: at most ${TARGETS.tailOfCreations}), its memory after the load, and its failed requests; others' are in latest.json.`,
      ownTable(rounds),
    ),
    ...section(
      'The service beside its peers',
      'Throughput of the service, with the peer as 1.',
      matrix(rounds, contestantsIn(rounds, 'peer'), (name, workload) =>
        ratio(of(rounds, 'service', workload), of(rounds, name, workload)),
      ),
    ),
    ...section(
      'Four threads',
      'The service with four threads, with one thread as 1. Throughput depends on the number of cores, one of which `wrk` uses.',
      fourThreadsTable(rounds),
    ),
    ...section(
      'PostgreSQL',
      `Throughput of the service on PostgreSQL, with the floor as 1. The last page, with a cached page as 1:
${ranged(lastPage, median => median < TARGETS.lastPageOnPostgres)}; target: at least ${TARGETS.lastPageOnPostgres}.`,
      matrix(
        rounds,
        contestantsIn(rounds, 'variant').filter(({ name }) => name === 'postgres'),
        (name, workload) => ratio(of(rounds, name, workload), of(rounds, 'floor', workload)),
      ),
    ),
    ...section(
      'Growth',
      `Throughput of the service on a large store, with the same work on a small one as 1; target: at least ${TARGETS.growth}.`,
      growthTable(rounds),
    ),
  ]
  return `${sections.join('\n\n')}\n`
}
