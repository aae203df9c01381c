import { type Costs, checked, costsFrom, createsPerSecond, type Point, type Setting } from '../capacity.ts'
import { WORKLOADS, type Workload } from '../workloads.ts'
import type { Failover } from './failovers.ts'
import type { Duration, Size } from './stores.ts'

/** One workload against the service with a number of threads, or on PostgreSQL. */
export interface Loaded {
  readonly workload: Workload
  readonly variant: string
  readonly perSecond: number
  readonly serverCores: number
  readonly residentMiB: number
}

export interface Results {
  readonly date: string
  readonly revision: string
  readonly machine: string
  readonly load: readonly Loaded[]
  readonly creates: readonly Point[]
  readonly sizes: readonly Size[]
  readonly durations: readonly Duration[]
  readonly failovers: readonly Failover[]
}

type Row = readonly (string | number)[]
type Engine = Setting['engine']

const FLUSHES = [0.1, 1, 10, 30, 100]
const CALLERS = 1000
const TITLES: Readonly<Record<string, string>> = { service: '1 thread', postgres: '1 thread, PostgreSQL' }
const NAMES = { sqlite: 'SQLite', postgres: 'PostgreSQL' } as const

const table = (...[head = [], ...rows]: readonly Row[]): string =>
  [head, head.map(() => '---'), ...rows].map(cells => `| ${cells.join(' | ')} |`).join('\n')

/** Two digits are all that a capacity is known to. */
const rounded = (value: number): string => Number(value.toPrecision(2)).toLocaleString('en')
const distinct = <Item>(items: readonly Item[]): Item[] => [...new Set(items)]
const mean = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length

function loadTable(load: readonly Loaded[]): string {
  const variants = distinct(load.map(({ variant }) => variant))
  const of = (variant: string, workload?: Workload): Loaded[] =>
    load.filter(each => each.variant === variant && (workload === undefined || each.workload === workload))
  return table(
    ['Requests per second of one core', ...variants.map(name => TITLES[name] ?? name)],
    ...distinct(load.map(({ workload }) => workload)).map(workload => [
      WORKLOADS[workload].title,
      ...variants.map(variant =>
        rounded(mean(of(variant, workload).map(({ perSecond, serverCores }) => perSecond / serverCores))),
      ),
    ]),
    [
      'most memory, MiB',
      ...variants.map(variant => Math.round(Math.max(...of(variant).map(each => each.residentMiB)))),
    ],
  )
}

function durationTable(durations: readonly Duration[]): string {
  const counts = distinct(durations.map(({ animals }) => animals))
  const works = distinct(durations.map(({ engine, work }) => `${NAMES[engine]}: ${work}`))
  const cell = (name: string, animals: number): string => {
    const found = durations.find(
      each => each.animals === animals && `${NAMES[each.engine]}: ${each.work}` === name,
    )
    if (found === undefined) return ''
    const memory = found.residentMiB ? `, ${Math.round(found.residentMiB)} MiB` : ''
    return `${rounded(found.seconds)} s${memory}`
  }
  return table(
    ['', ...counts.map(count => `${count.toLocaleString('en')} animals`)],
    ...works.map(name => [name, ...counts.map(count => cell(name, count))]),
  )
}

function sizeTable(sizes: readonly Size[]): string {
  const cell = (engine: Engine, part: string): string =>
    sizes.find(each => each.engine === engine && each.part === part)?.bytes.toFixed(0) ?? ''
  return table(
    ['MB for a million animals', NAMES.sqlite, NAMES.postgres],
    ...distinct(sizes.map(({ part }) => part)).map(part => [
      part,
      cell('sqlite', part),
      cell('postgres', part),
    ]),
  )
}

function checkTable(creates: readonly Point[]): string {
  return table(
    ['Engine', 'Flush', 'Callers', 'Instances', 'Threads', 'Measured', 'Model', 'Error'],
    ...checked(creates).map(({ point, model, error }) => [
      NAMES[point.engine],
      `${point.flushMs.toFixed(2)} ms`,
      point.callers,
      point.instances,
      point.threads,
      `${point.perSecond.toFixed(0)}/s`,
      `${model.toFixed(0)}/s`,
      `${(100 * error).toFixed(0)}%`,
    ]),
  )
}

/** With many threads a create needs as much processor time as it was measured to need with four. */
function manyCoreCosts({ creates, load }: Results): Costs {
  const four = load.filter(({ workload, variant }) => workload === 'create' && variant === '4 threads')
  const processorMs = mean(four.map(({ serverCores, perSecond }) => (1000 * serverCores) / perSecond))
  return { ...costsFrom('sqlite', creates), requestMs: processorMs, processorMs }
}

/** Machines that we do not have. */
function projections(results: Results) {
  const { creates } = results
  const [few, many, shared] = [
    costsFrom('sqlite', creates),
    manyCoreCosts(results),
    costsFrom('postgres', creates),
  ]
  const settings: readonly (readonly [name: string, costs: Costs, setting: Omit<Setting, 'flushMs'>])[] = [
    [
      'SQLite, 2 cores, 1 thread',
      few,
      { engine: 'sqlite', callers: CALLERS, instances: 1, threads: 1, cores: 2 },
    ],
    ...[16, 64].map(
      cores =>
        [
          `SQLite, ${cores} cores, as many threads`,
          many,
          { engine: 'sqlite', callers: CALLERS, instances: 1, threads: cores, cores },
        ] as const,
    ),
    ...[1, 3, 10].map(
      instances =>
        [
          `PostgreSQL, ${instances} instance${instances > 1 ? 's' : ''}`,
          shared,
          { engine: 'postgres', callers: CALLERS, instances, threads: 1, cores: 2 },
        ] as const,
    ),
  ]
  return settings.map(([name, costs, setting]) => ({
    name,
    perSecond: FLUSHES.map(flushMs => createsPerSecond({ ...setting, flushMs }, costs)),
  }))
}

const costText = (engine: Engine, { commit, turn, requestMs }: Costs): string => {
  const micro = (ms: number): string => `${(1000 * ms).toFixed(0)} µs`
  const part = (cost: Costs['commit']): string =>
    `${micro(cost.batchMs)} and ${micro(cost.animalMs)} per animal`
  const between = engine === 'sqlite' ? '' : `, between two commits of an instance ${part(turn)}`
  return `${NAMES[engine]}: a commit takes ${part(commit)} besides its flush${between}; a listener thread ${micro(requestMs)} per create.`
}

export function report(results: Results): string {
  const { date, revision, machine, load, sizes, durations, creates, failovers } = results
  return `# Capacity

Written by \`npm run capacity\`; [docs/capacity.md](../../docs/capacity.md) explains it. ${machine}; revision ${revision},
${date.slice(0, 10)}. Load and service share the cores.

${loadTable(load)}

${sizeTable(sizes)}

${durationTable(durations)}

## Creates per second: measured, and by the model

${checkTable(creates)}

${(['sqlite', 'postgres'] as const).map(engine => costText(engine, costsFrom(engine, creates))).join('\n')}

## Creates per second by the model alone, with ${rounded(CALLERS)} callers

${table(
  ['', ...FLUSHES.map(flush => `flush of ${flush} ms`)],
  ...projections(results).map(({ name, perSecond }) => [name, ...perSecond.map(rounded)]),
)}

## Without an acknowledged create

${table(
  ['Event', 'Seconds', 'Requests of 8 callers that failed'],
  ...failovers.map(({ event, seconds, failed }) => [event, seconds.toFixed(2), failed]),
)}
`
}

const LINES = [
  { engine: 'sqlite', callers: 512, instances: 1, label: 'SQLite, 512 callers', color: '#3fb950' },
  { engine: 'sqlite', callers: 64, instances: 1, label: 'SQLite, 64 callers', color: '#2f81f7' },
  { engine: 'postgres', callers: 256, instances: 1, label: 'PostgreSQL, 256 callers', color: '#db61a2' },
  { engine: 'postgres', callers: 256, instances: 4, label: '… on 4 instances', color: '#a371f7' },
  { engine: 'postgres', callers: 64, instances: 1, label: 'PostgreSQL, 64 callers', color: '#d29922' },
] as const
const TICKS = [300, 1000, 3000, 10_000, 30_000]
const xOf = (flushMs: number): number => 70 + 170 * (Math.log10(flushMs) + 1)
const yOf = (perSecond: number): number => 350 - 150 * Math.log10(perSecond / 300)

/** Lines by the model, points as measured, both axes logarithmic. Medium colours, readable on white and on dark pages. */
export function drawing({ creates }: Results): string {
  const lines = LINES.map(({ engine, callers, instances, label, color }, place) => {
    const costs = costsFrom(engine, creates)
    const setting = { engine, callers, instances, threads: 1, cores: 2 }
    const at = (flushMs: number): number => createsPerSecond({ ...setting, flushMs }, costs)
    const steps = Array.from({ length: 61 }, (_, step) => 10 ** (step / 20 - 1)).filter(
      flushMs => at(flushMs) >= 300,
    )
    const path = steps.map(flushMs => `${xOf(flushMs).toFixed(1)},${yOf(at(flushMs)).toFixed(1)}`).join(' ')
    const points = creates
      .filter(
        each =>
          each.engine === engine &&
          each.callers === callers &&
          each.instances === instances &&
          each.threads === 1,
      )
      .map(
        each =>
          `<circle cx="${xOf(each.flushMs).toFixed(1)}" cy="${yOf(each.perSecond).toFixed(1)}" r="5" fill="${color}"/>`,
      )
    const y = 50 + 24 * place
    const text = `<line x1="596" x2="616" y1="${y}" y2="${y}" stroke="${color}" stroke-width="4"/><text x="624" y="${y + 4}">${label}</text>`
    return `<polyline points="${path}" fill="none" stroke="${color}" stroke-width="2"/>${points.join('')}${text}`
  })
  const across = TICKS.map(
    tick =>
      `<line x1="70" x2="580" y1="${yOf(tick)}" y2="${yOf(tick)}" stroke="#7d859055"/><text x="62" y="${yOf(tick) + 4}" text-anchor="end">${tick.toLocaleString('en')}</text>`,
  )
  const along = [0.1, 1, 10, 100].map(
    tick => `<text x="${xOf(tick)}" y="374" text-anchor="middle">${tick} ms</text>`,
  )
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 800 390" font-family="system-ui, sans-serif" font-size="13" fill="#7d8590">
<text x="8" y="24" font-size="15" font-weight="bold">Creates per second against the time of a flush (line: model, point: measured)</text>
${[...across, ...along, ...lines].join('\n')}
</svg>
`
}
