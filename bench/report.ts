import { CONTESTANTS } from './contestants.ts'
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

/** The least or the most that a figure should be. */
type Target = { readonly least?: number; readonly most?: number }
type Rounds = readonly Round[]
type Figure = (round: Round) => number

const TARGETS = {
  startMs: { most: 150 },
  tailOfCreates: { most: 3 },
  growth: { least: 0.9 },
  lastPageOnPostgres: { least: 0.6 },
}

/** Four threads, with one thread as 1. */
const FOUR_THREADS: Readonly<Partial<Record<Workload, { readonly cpu?: Target; readonly rate?: Target }>>> = {
  list20: { cpu: { most: 1.15 } },
  create: { cpu: { most: 1.65 } },
  'slow-disk': { rate: { least: 0.9 } },
  'random-pages': { cpu: { most: 1.7 } },
}

const rate: Figure = ({ perSecond }) => perSecond
const cpuPerRequest: Figure = ({ perSecond, serverCores }) => serverCores / perSecond
const tail: Figure = ({ p50Ms, p99Ms }) => p99Ms / p50Ms

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

const workloadsIn = (rounds: Rounds): Workload[] => [...new Set(rounds.map(({ workload }) => workload))]

/** In the order of the first round, which begins with the size that everyone's store has. */
const sizesOf = (rounds: Rounds, workload: Workload): number[] => [
  ...new Set(rounds.filter(each => each.workload === workload).map(({ animals }) => animals)),
]

const of = (rounds: Rounds, name: string, workload: Workload, size = sizesOf(rounds, workload)[0]): Round[] =>
  rounds.filter(each => each.contestant === name && each.workload === workload && each.animals === size)

/** Renders figures, and collects those that miss their targets. */
class Judge {
  readonly missed: string[] = []

  /** In bold if the target is missed. */
  show(what: string, found: Spread | undefined, { least = 0, most = Number.POSITIVE_INFINITY }: Target = {}) {
    if (found === undefined) return ''
    const { median, min, max } = found
    const text = `${short(median)} (${short(min)}–${short(max)})`
    if (median >= least && median <= most) return text
    const target = median < least ? `at least ${least}` : `at most ${most}`
    this.missed.push(`- ${what}: ${short(median)} (target: ${target})\n`)
    return `**${text}**`
  }
}

/** A row for each workload. Rows without figures are left out, and tables without rows. */
function table(
  title: string,
  rounds: Rounds,
  heads: readonly string[],
  cells: (workload: Workload) => readonly string[],
): string[] {
  const rows = workloadsIn(rounds)
    .map(workload => [WORKLOADS[workload].title, ...cells(workload)])
    .filter(([, ...figures]) => figures.some(Boolean))
  const lines = [['Work', ...heads], ['', ...heads].map(() => '---'), ...rows]
  return rows.length === 0 ? [] : [`${title}\n\n${lines.map(line => `| ${line.join(' | ')} |`).join('\n')}`]
}

export function report({ rounds, startsMs, settings, machine, revision, date }: Results): string {
  const judge = new Judge()
  const others = CONTESTANTS.filter(
    ({ name, kind }) =>
      (kind === 'floor' || kind === 'peer') && rounds.some(({ contestant }) => contestant === name),
  )
  const large = [...new Set(rounds.map(({ animals }) => animals))].toSorted((a, b) => a - b).slice(-2)
  const create = of(rounds, 'service', 'create')
  const lastPage = ratio(of(rounds, 'postgres', 'last-page'), of(rounds, 'postgres', 'list20'))
  const own = rounds.filter(({ contestant }) => contestant === 'service')
  const failed = own.reduce((sum, { failures }) => sum + failures, 0)
  const facts = `Processor time of a start: ${judge.show('processor time of a start, in ms', spread(startsMs), TARGETS.startMs)} ms. Slowest 1% of creates, with their median as 1:
${judge.show('slowest creates', spread(create.map(tail)), TARGETS.tailOfCreates)}. Last page on PostgreSQL, with a cached page as 1: ${judge.show('last page on PostgreSQL', lastPage, TARGETS.lastPageOnPostgres)}.
Failed requests of the service: ${failed}.`
  const tables = [
    ...table(
      'Throughput of the service, with each of these as 1:',
      rounds,
      others.map(({ title }) => title),
      workload =>
        others.map(({ name, kind }) => {
          const { title, target } = WORKLOADS[workload]
          const least = kind === 'floor' && target !== undefined ? { least: target } : {}
          return judge.show(title, ratio(of(rounds, 'service', workload), of(rounds, name, workload)), least)
        }),
    ),
    ...table(
      'With four threads, and one thread as 1:',
      rounds,
      ['Processor time per request', 'Throughput'],
      workload => {
        const [four, one] = [of(rounds, 'four', workload), of(rounds, 'service', workload)]
        const { cpu, rate: least } = FOUR_THREADS[workload] ?? {}
        const what = `four threads, ${WORKLOADS[workload].title}`
        return [
          judge.show(what, ratio(four, one, cpuPerRequest), cpu),
          judge.show(what, ratio(four, one), least),
        ]
      },
    ),
    ...table(
      'Throughput on a large store, with the smallest as 1:',
      rounds,
      large.map(size => `${size.toLocaleString('en')} animals`),
      workload => {
        const [least = 0, ...more] = sizesOf(rounds, workload).toSorted((a, b) => a - b)
        const at = (size: number) => of(rounds, 'service', workload, size)
        const what = `large store, ${WORKLOADS[workload].title}`
        return large.map(size =>
          more.includes(size) ? judge.show(what, ratio(at(size), at(least)), TARGETS.growth) : '',
        )
      },
    ),
  ]
  return `# Benchmark

${settings}. Each figure is the median of the rounds, with the least and the greatest.
${machine}; revision ${revision}, ${date.slice(0, 10)}.

Targets that are missed:

${judge.missed.join('') || '- none\n'}
${facts}

${tables.join('\n\n')}
`
}
