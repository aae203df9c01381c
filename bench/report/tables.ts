import { CONTESTANTS } from '../harness/contestants.ts'
import type { Ratio, Spread, Summary } from '../harness/summary.ts'
import { WORKLOAD_TITLES, type Workload } from '../harness/workloads.ts'
import { PEER_TARGETS } from '../targets.ts'

export function titleOf(name: string): string {
  return CONTESTANTS.find(contestant => contestant.name === name)?.title ?? name
}

export const isPeer = (name: string): boolean =>
  CONTESTANTS.some(contestant => contestant.name === name && contestant.kind === 'peer')

/** The service as a share of the floor. */
export function floorTable({ ratios }: Summary): string {
  const rows = ratios
    .filter(({ against }) => against === 'floor')
    .map(ratio => {
      const ready = ratios.find(
        ({ against, workload }) => against === 'ready-floor' && workload === ratio.workload,
      )
      return [
        WORKLOAD_TITLES[ratio.workload],
        judged(ratio),
        `≥ ${figure(ratio.target ?? 0)}`,
        ranged(ratio.perCpuSecond),
        ready === undefined ? '' : ranged(ready),
      ]
    })
  return table(['Work', 'Of the floor', 'Target', 'Per CPU second', 'Of a floor with ready answers'], rows)
}

/** The service as a multiple of each peer. */
export function peerTable({ ratios }: Summary): string {
  return peerMatrix(ratios, (peer, workload) => {
    const found = ratios.find(ratio => ratio.against === peer && ratio.workload === workload)
    return found ? judged(found) : ''
  })
}

/** The floor as a multiple of each peer: the most that a service on this runtime could reach. */
export function ceilingTable({ ratios, standings }: Summary): string {
  return peerMatrix(ratios, (peer, workload) => {
    const found = standings.find(each => each.contestant === peer && each.workload === workload)
    return found ? figure(1 / found.throughputOfFloor.median) : ''
  })
}

/** Latency as a multiple of the floor's, and memory. */
export function standingTable({ standings }: Summary): string {
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

function peerMatrix(ratios: Ratio[], cell: (peer: string, workload: Workload) => string): string {
  const workloads = [...new Set(ratios.map(ratio => ratio.workload))]
  const peers = [...new Set(ratios.map(ratio => ratio.against))].filter(isPeer)
  const rows = peers.map(peer => [
    titleOf(peer),
    ...workloads.map(workload => cell(peer, workload)),
    PEER_TARGETS[peer] === undefined ? '' : `≥ ${PEER_TARGETS[peer]}`,
  ])
  return table(['Peer', ...workloads.map(workload => WORKLOAD_TITLES[workload]), 'Target'], rows)
}

function table(head: string[], rows: string[][]): string {
  const line = (cells: string[]) => `| ${cells.join(' | ')} |`
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n')
}

function judged(ratio: Ratio): string {
  const text = ranged(ratio)
  const isMissed = ratio.target !== undefined && ratio.median < ratio.target
  return isMissed ? text.replace(/^\S+/, median => `**${median}**`) : text
}

function ranged({ median, min, max }: Spread): string {
  return `${figure(median)} (${figure(min)}–${figure(max)})`
}

/** Prints two decimals only where they are significant. */
export function figure(value: number): string {
  if (value >= 100) return value.toFixed(0)
  return value.toFixed(value >= 10 ? 1 : 2)
}
