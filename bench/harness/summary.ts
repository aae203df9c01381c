import { FLOOR_TARGETS, PEER_TARGETS } from '../targets.ts'
import { CONTESTANTS } from './contestants.ts'
import type { Round } from './round.ts'
import type { Workload } from './workloads.ts'

export type Spread = { median: number; min: number; max: number }

/** Throughput of the service divided by that of another contestant, round by round. */
export type Ratio = Spread & {
  workload: Workload
  against: string
  target: number | undefined
  /** The same for requests per CPU second: ignores waiting, but is hardly affected by other load on the machine. */
  perCpuSecond: Spread
}

export type Standing = {
  workload: Workload
  contestant: string
  throughputOfFloor: Spread
  p50OfFloor: Spread
  p99OfFloor: Spread
  residentMiB: Spread
  failures: number
}

export type Summary = { ratios: Ratio[]; standings: Standing[]; otherCores: Spread }

export function summarise(rounds: Round[]): Summary {
  const workloads = [...new Set(rounds.map(round => round.workload))]
  const entrantsIn = (workload: Workload) =>
    CONTESTANTS.map(({ name }) => name).filter(name =>
      rounds.some(round => round.contestant === name && round.workload === workload),
    )
  const ratios = workloads.flatMap(workload =>
    entrantsIn(workload)
      .filter(against => against !== 'service')
      .map(against => ({
        workload,
        against,
        target: against === 'floor' ? FLOOR_TARGETS[workload] : PEER_TARGETS[against],
        ...compare(rounds, workload, 'service', against, round => round.perSecond),
        perCpuSecond: compare(rounds, workload, 'service', against, r => r.perSecond / r.serverCores),
      })),
  )
  const standings = workloads.flatMap(workload =>
    entrantsIn(workload).map(name => standing(rounds, workload, name)),
  )
  return { ratios, standings, otherCores: spread(rounds.map(round => round.otherCores)) }
}

function standing(rounds: Round[], workload: Workload, contestant: string): Standing {
  const own = rounds.filter(round => round.workload === workload && round.contestant === contestant)
  return {
    workload,
    contestant,
    throughputOfFloor: compare(rounds, workload, contestant, 'floor', round => round.perSecond),
    p50OfFloor: compare(rounds, workload, contestant, 'floor', round => round.p50Ms),
    p99OfFloor: compare(rounds, workload, contestant, 'floor', round => round.p99Ms),
    residentMiB: spread(own.map(round => round.residentBytes / 2 ** 20)),
    failures: own.reduce((sum, round) => sum + round.failures, 0),
  }
}

/** Compares rounds that ran next to each other, so that a slow minute of the machine affects both. */
function compare(
  rounds: Round[],
  workload: Workload,
  name: string,
  against: string,
  figure: (round: Round) => number,
): Spread {
  const of = (contestant: string) =>
    new Map(
      rounds
        .filter(r => r.workload === workload && r.contestant === contestant)
        .map(r => [r.round, figure(r)]),
    )
  const others = of(against)
  return spread([...of(name)].map(([round, value]) => value / (others.get(round) ?? Number.NaN)))
}

export function spread(values: number[]): Spread {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = (sorted.length - 1) / 2
  const low = sorted[Math.floor(middle)] ?? Number.NaN
  const high = sorted[Math.ceil(middle)] ?? Number.NaN
  return { median: (low + high) / 2, min: sorted[0] ?? Number.NaN, max: sorted.at(-1) ?? Number.NaN }
}
