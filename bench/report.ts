import { CONTESTANTS } from './contestants.ts'
import type { Round } from './measure.ts'
import { WORKLOADS, type Workload } from './workloads.ts'

export interface Results {
  readonly date: string
  readonly revision: string
  readonly machine: string
  readonly settings: string
  readonly rounds: readonly Round[]
}

interface Spread {
  readonly median: number
  readonly min: number
  readonly max: number
}

const titleOf = (name: string): string => CONTESTANTS.find(each => each.name === name)?.title ?? name
const workloadsIn = ({ rounds }: Results): Workload[] => [...new Set(rounds.map(({ workload }) => workload))]
const contestantsIn = ({ rounds }: Results, ...kinds: string[]): string[] =>
  CONTESTANTS.filter(
    ({ name, kind }) => kinds.includes(kind) && rounds.some(({ contestant }) => contestant === name),
  ).map(({ name }) => name)

function spread(values: readonly number[]): Spread | undefined {
  const sorted = values.filter(Number.isFinite).toSorted((a, b) => a - b)
  const middle = (sorted.length - 1) / 2
  const [low, high, min, max] = [
    sorted[Math.floor(middle)],
    sorted[Math.ceil(middle)],
    sorted[0],
    sorted.at(-1),
  ]
  if (low === undefined || high === undefined || min === undefined || max === undefined) return undefined
  return { median: (low + high) / 2, min, max }
}

/** A figure of one contestant divided by that of another, round by round, so that a slow minute affects both. */
function ratio(
  { rounds }: Results,
  workload: Workload,
  name: string,
  against: string,
  figure: (round: Round) => number,
): Spread | undefined {
  const of = (wanted: string) =>
    rounds.filter(round => round.workload === workload && round.contestant === wanted)
  const others = new Map(of(against).map(each => [each.round, figure(each)]))
  return spread(of(name).map(each => figure(each) / (others.get(each.round) ?? Number.NaN)))
}

const rate = ({ perSecond }: Round): number => perSecond
const perCpuSecond = ({ perSecond, serverCores }: Round): number => perSecond / serverCores

const short = (value: number): string =>
  value >= 100 ? value.toFixed(0) : value.toFixed(value >= 10 ? 1 : 2)
const ranged = (found: Spread | undefined): string =>
  found === undefined ? '' : `${short(found.median)} (${short(found.min)}–${short(found.max)})`

const table = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [head, head.map(() => '---'), ...rows].map(cells => `| ${cells.join(' | ')} |`).join('\n')

function floorTable(results: Results): string {
  const rows = workloadsIn(results).map(workload => {
    const { title, target } = WORKLOADS[workload]
    const reached = ratio(results, workload, 'service', 'floor', rate)
    const isMissed = target !== undefined && reached !== undefined && reached.median < target
    return [
      title,
      isMissed ? `**${ranged(reached)}**` : ranged(reached),
      target === undefined ? '' : `≥ ${target}`,
      ranged(ratio(results, workload, 'service', 'floor', perCpuSecond)),
      ranged(ratio(results, workload, 'service', 'ready-floor', rate)),
    ]
  })
  return table(['Work', 'Of the floor', 'Target', 'Per CPU second', 'Of a floor with ready answers'], rows)
}

/** Throughput of each contestant beside each workload, as a multiple of the service's or of its own list of 20. */
function matrix(results: Results, names: readonly string[], isInverse: boolean): string {
  const workloads = workloadsIn(results)
  const rows = names.map(name => [
    titleOf(name),
    ...workloads.map(workload =>
      ranged(
        isInverse
          ? ratio(results, workload, 'service', name, rate)
          : ratio(results, workload, name, name === 'postgres' ? 'floor' : 'service', rate),
      ),
    ),
  ])
  return table(['', ...workloads.map(workload => WORKLOADS[workload].title)], rows)
}

function latencyTable(results: Results): string {
  const rows = workloadsIn(results).map(workload => {
    const own = results.rounds.filter(round => round.workload === workload && round.contestant === 'service')
    const memory = spread(own.map(({ residentMiB }) => residentMiB))?.median ?? 0
    return [
      WORKLOADS[workload].title,
      ranged(ratio(results, workload, 'service', 'floor', ({ p50Ms }) => p50Ms)),
      ranged(ratio(results, workload, 'service', 'floor', ({ p99Ms }) => p99Ms)),
      ranged(spread(own.map(({ p50Ms, p99Ms }) => p99Ms / p50Ms))),
      `${Math.round(memory)} MiB`,
      String(own.reduce((sum, { failures }) => sum + failures, 0)),
    ]
  })
  return table(['Work', 'p50', 'p99', 'p99 of its own p50', 'Memory', 'Failed'], rows)
}

export function report(results: Results): string {
  const peers = contestantsIn(results, 'peer')
  const variants = contestantsIn(results, 'variant')
  const others = spread(results.rounds.map(({ otherCores }) => otherCores))
  const sections = [
    `# Benchmark

![Throughput of the service beside the bare runtime and its peers](latest.svg)

${results.settings}. Each figure is the median of the rounds, with the least and the greatest in parentheses; a bold
one is under its target. Only ratios are claimed: they compare what ran side by side on one machine.

${results.machine}; revision ${results.revision}, ${results.date.slice(0, 10)}. Other programs used ${ranged(others)} cores.

## The service beside the floor

Throughput of the service, with a bare Bun.serve that only sends the same answers as 1.

${floorTable(results)}`,
    peers.length > 0 &&
      `## The service beside its peers\n\nThroughput of the service, with the peer as 1.\n\n${matrix(results, peers, true)}`,
    variants.length > 0 &&
      `## Other settings\n\nThroughput on PostgreSQL with the floor as 1; of four processes with one process as 1.\n\n${matrix(results, variants, false)}`,
    `## Latency and memory\n\nLatency of the service with the floor as 1, and its memory after the load; the peers' is in latest.json.\n\n${latencyTable(results)}`,
  ]
  return `${sections.filter(Boolean).join('\n\n')}\n`
}

/** Bars: the service as a share of the floor. Medium colours, readable on white and on dark pages. */
export function drawing(results: Results): string {
  const bars = workloadsIn(results).map((workload, row) => {
    const { title, target } = WORKLOADS[workload]
    const share = ratio(results, workload, 'service', 'floor', rate)?.median ?? 0
    const y = 52 + row * 32
    const mark =
      target === undefined
        ? ''
        : `<rect x="${230 + target * 520}" y="${y - 4}" width="3" height="26" fill="#d29922"/>`
    return `<text x="220" y="${y + 14}" text-anchor="end">${title}</text><rect x="230" y="${y}" width="${share * 520}" height="18" rx="2" fill="#2f81f7"/>${mark}<text x="${236 + Math.max(share, target ?? 0) * 520}" y="${y + 14}">${short(share)}</text>`
  })
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 860 ${64 + bars.length * 32}" font-family="system-ui, sans-serif" font-size="13" fill="#7d8590">
<text x="8" y="26" font-size="15" font-weight="bold">Share of the throughput of a bare Bun.serve that only sends the same answers (mark: target)</text>
${bars.join('\n')}
</svg>
`
}
