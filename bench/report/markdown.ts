import type { Results } from '../harness/measure.ts'
import type { Summary } from '../harness/summary.ts'
import { ceilingTable, floorTable, peerTable, standingTable } from './tables.ts'

export function renderMarkdown(results: Results, summary: Summary): string {
  const { machine, settings, disturbed } = results
  const others = summary.otherCores
  return `# Benchmark

![Throughput of the service beside the bare runtime and its peers](latest.svg)

${settings.rounds} interleaved rounds of ${settings.seconds} s, fresh processes, ${settings.connections} connections, \
${settings.animals} animals.
Each figure is the median of the rounds, with the least and the greatest in parentheses; a bold one is under its
target. Only ratios are claimed: they compare what ran side by side on one machine.

## The service beside the floor

Throughput of the service, with the floor as 1. The last column compares requests in a CPU second, all threads
together: it says nothing about waiting, but other programs on the machine hardly change it.

${floorTable(summary)}

## The service beside its peers

Throughput of the service, with the peer as 1.

${peerTable(summary)}

Throughput of the floor, with the peer as 1: a service on this runtime can hardly be further ahead than that.

${ceilingTable(summary)}

## Latency and memory

Latency at the median and at the 99th percentile, with the floor as 1, and resident memory after the load.

${standingTable(summary)}

## The machine

${machine.cpu}, ${machine.cores} cores, ${machine.memoryGiB} GiB, Linux ${machine.kernel}, ${machine.fileSystem};
Bun ${machine.bun}, Node ${machine.node}, ${optional('Go', machine.go)}${optional('nginx', machine.nginx)}wrk ${machine.wrk}; revision ${results.revision}, ${results.date.slice(0, 10)}.

Other programs kept ${others.median.toFixed(2)} cores busy at the median of all rounds, ${others.max.toFixed(2)} at most;
${disturbed.length} rounds were run again because of that. The raw rounds, those included, are in
[latest.json](latest.json).
`
}

const optional = (name: string, version: string | undefined): string =>
  version ? `${name} ${version}, ` : ''
