import { CONTESTANTS } from '../harness/contestants.ts'
import type { Results } from '../harness/measure.ts'
import type { Ratio, Spread, Standing, Summary } from '../harness/summary.ts'
import { WORKLOAD_TITLES, type Workload } from '../harness/workloads.ts'

export function titleOf(name: string): string {
  return CONTESTANTS.find(contestant => contestant.name === name)?.title ?? name
}

export function renderMarkdown(results: Results, summary: Summary): string {
  const { machine, settings } = results
  const others = summary.otherCores
  return `# Benchmark

![Throughput of the service beside the bare runtime and its peers](latest.svg)

${settings.rounds} interleaved rounds of ${settings.seconds} s, fresh processes, ${settings.connections} connections, \
${settings.animals} animals. Each figure is the median of the rounds, with the least and the greatest in parentheses. \
Only ratios are claimed: they compare what ran side by side on one machine.

## Throughput of the service

${ratioTable(summary)}

A bold ratio is under its target. The last column says how far the floor itself is ahead: no service on this
runtime can be further ahead than that for long.

## Beside the floor

Latency at the median and at the 99th percentile as a multiple of the floor's, and resident memory after the load.

${standingTable(summary.standings)}

## The machine

${machine.cpu}, ${machine.cores} cores, ${machine.memoryGiB} GiB, Linux ${machine.kernel}, ${machine.fileSystem};
Bun ${machine.bun}, Node ${machine.node}, wrk ${machine.wrk}; ${results.date.slice(0, 10)}. Other programs took
${others.median.toFixed(2)} cores at the median of all rounds, ${others.max.toFixed(2)} at most.
`
}

export function ratioTable({ ratios, standings }: Summary): string {
  const rows = ratios.map(ratio => {
    const of = ratio.against === 'floor' ? 'of the floor' : `× ${titleOf(ratio.against)}`
    const target = ratio.target === undefined ? '' : `≥ ${ratio.target}`
    const ceiling = ratio.against === 'floor' ? '' : figure(1 / floorShare(standings, ratio))
    return [WORKLOAD_TITLES[ratio.workload], of, emphasised(ratio), target, ceiling]
  })
  return table(['Work', 'Service', 'Ratio', 'Target', 'Floor'], rows)
}

function floorShare(
  standings: Standing[],
  { workload, against }: { workload: Workload; against: string },
): number {
  const found = standings.find(each => each.workload === workload && each.contestant === against)
  return found?.throughputOfFloor.median ?? Number.NaN
}

function standingTable(standings: Standing[]): string {
  const rows = standings
    .filter(({ contestant }) => contestant !== 'floor')
    .map(({ workload, contestant, p50OfFloor, p99OfFloor, residentMiB, failures }) => [
      WORKLOAD_TITLES[workload],
      titleOf(contestant),
      ranged(p50OfFloor),
      ranged(p99OfFloor),
      `${Math.round(residentMiB.median)} MiB`,
      String(failures),
    ])
  return table(['Work', 'Contestant', 'p50', 'p99', 'Memory', 'Failed'], rows)
}

function table(head: string[], rows: string[][]): string {
  const line = (cells: string[]) => `| ${cells.join(' | ')} |`
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n')
}

function emphasised(ratio: Ratio): string {
  const missed = ratio.target !== undefined && ratio.median < ratio.target
  const { median, ...rest } = ratio
  return `${missed ? `**${figure(median)}**` : figure(median)} (${figure(rest.min)}–${figure(rest.max)})`
}

function ranged({ median, min, max }: Spread): string {
  return `${figure(median)} (${figure(min)}–${figure(max)})`
}

/** Two decimals where they tell something, none where they do not. */
export function figure(value: number): string {
  if (value >= 100) return value.toFixed(0)
  return value.toFixed(value >= 10 ? 1 : 2)
}
