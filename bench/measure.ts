import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ROOT, say } from '../scripts/command.ts'
import { PostgresServer } from '../tests/support/postgres.ts'
import { CONTESTANTS, type Contestant, type Place, start, takesPart } from './contestants.ts'
import {
  type Answer,
  ask,
  captured,
  fill,
  isLarge,
  KEY,
  largeStock,
  plan,
  type Stock,
  seed,
  type Workload,
} from './workloads.ts'

export const CONNECTIONS = 64
const TICKS_PER_SECOND = 100

export interface Options {
  readonly rounds: number
  readonly seconds: number
  readonly warmUpSeconds: number
  readonly workloads: readonly Workload[]
  readonly contestants: readonly Contestant[]
  /** The number of animals in the store of the random workloads. */
  readonly animals: number
}

/** The figures of one fresh process under one workload. */
export interface Round {
  readonly round: number
  readonly workload: Workload
  readonly contestant: string
  readonly perSecond: number
  readonly p50Ms: number
  readonly p99Ms: number
  readonly failures: number
  readonly residentMiB: number
  /** The cores used by the contestant, and by everything but it and wrk. */
  readonly serverCores: number
  readonly otherCores: number
}

/** Runs every workload against every contestant in turn, so that no contestant gets all the quiet minutes. */
export async function measure(options: Options): Promise<Round[]> {
  const folder = mkdtempSync(join(tmpdir(), 'petstore-bench-'))
  const needsPostgres = options.contestants.some(({ name }) => name === 'postgres')
  const postgres = needsPostgres ? await PostgresServer.create() : undefined
  const bench = new Bench(options, folder, postgres?.url() ?? '')
  const rounds: Round[] = []
  const absent = new Set<Contestant>()
  try {
    for (let round = 1; round <= options.rounds; round++) {
      // Every other round runs backwards, so that going first or last favours no contestant.
      const order = round % 2 === 1 ? options.contestants : options.contestants.toReversed()
      for (const workload of options.workloads)
        for (const contestant of order.filter(each => takesPart(each, workload) && !absent.has(each))) {
          const figures = await bench.run(contestant, workload).catch((error: unknown) => {
            // A peer is somebody else's software: a long run does not end because one cannot be started here.
            if (contestant.kind !== 'peer') throw error
            absent.add(contestant)
            say(`Without ${contestant.name}: ${error instanceof Error ? error.message : error}`)
          })
          if (figures === undefined) continue
          const result = { round, workload, contestant: contestant.name, ...figures }
          const name = `${workload.padEnd(13)}${contestant.name.padEnd(12)}`
          const rate = `${Math.round(result.perSecond).toString().padStart(7)}/s`
          const failed = result.failures > 0 ? `, ${result.failures} failed` : ''
          say(
            `${round}/${options.rounds}  ${name}${rate}  ${result.otherCores.toFixed(2)} cores taken by others${failed}`,
          )
          rounds.push(result)
        }
    }
    return rounds
  } finally {
    await postgres?.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

class Bench {
  readonly #options: Options
  readonly #folder: string
  readonly #postgresUrl: string
  readonly #answers = new Map<Workload, { readonly stock: Stock; readonly answers: readonly Answer[] }>()
  /** Large stores are only read, so each is filled once. */
  readonly #large = new Map<string, { readonly place: Place; readonly stock: Stock }>()

  constructor(options: Options, folder: string, postgresUrl: string) {
    this.#options = options
    this.#folder = folder
    this.#postgresUrl = postgresUrl
  }

  async run(contestant: Contestant, workload: Workload) {
    const isFloor = contestant.kind === 'floor'
    const floor = isFloor ? await this.#answersOf(workload) : undefined
    const large = !isFloor && isLarge(workload) ? await this.#largeOf(contestant) : undefined
    const place = large?.place ?? this.#newPlace(workload, floor?.answers)
    const running = await start(contestant, place)
    try {
      for (const answer of floor?.answers ?? []) await expectSame(running.url, answer)
      const stock = floor?.stock ?? large?.stock ?? (await seed(running.url))
      const planFile = join(this.#folder, 'plan')
      const lines = plan(workload, stock).map(
        ({ method, path, body = '' }) => `${method}\t${path}\t${body}\n`,
      )
      await Bun.write(planFile, lines.join(''))
      await wrk(running.url, planFile, this.#options.warmUpSeconds)
      const [server, machine] = [processSeconds(running.pid), machineSeconds()]
      const { seconds, clientSeconds, ...load } = await wrk(running.url, planFile, this.#options.seconds)
      const used = processSeconds(running.pid) - server
      return {
        ...load,
        residentMiB: residentMiB(running.pid),
        serverCores: used / seconds,
        otherCores: Math.max(0, machineSeconds() - machine - used - clientSeconds) / seconds,
      }
    } finally {
      await running.stop()
      if (large === undefined) rmSync(place.folder, { recursive: true, force: true })
    }
  }

  #newPlace(workload: Workload, answers: readonly Answer[] = []): Place {
    const folder = mkdtempSync(join(this.#folder, `${workload}-`))
    const answersFile = join(folder, 'answers.json')
    void Bun.write(answersFile, JSON.stringify(answers))
    return { folder, answersFile, postgresUrl: this.#postgresUrl }
  }

  /** What a filled service answers to a workload, for the floor to send. */
  async #answersOf(workload: Workload) {
    const known = this.#answers.get(workload)
    if (known !== undefined) return known
    const place = this.#newPlace(workload)
    const service = await start(SERVICE, place)
    try {
      const stock = await seed(service.url)
      const answers: Answer[] = []
      for (const request of captured(workload, stock)) answers.push(await ask(service.url, request))
      const kept = { stock, answers }
      this.#answers.set(workload, kept)
      return kept
    } finally {
      await service.stop()
    }
  }

  async #largeOf(contestant: Contestant) {
    const known = this.#large.get(contestant.name)
    if (known !== undefined) return known
    const place = this.#newPlace('random-get')
    await (await start(contestant, place)).stop()
    fill(join(place.folder, 'bench.db'), this.#options.animals)
    const running = await start(contestant, place)
    const large = { place, stock: await largeStock(running.url, this.#options.animals) }
    await running.stop()
    this.#large.set(contestant.name, large)
    return large
  }
}

const SERVICE = CONTESTANTS.find(({ kind }) => kind === 'service') as Contestant

/** The floor is a valid baseline only if it sends exactly what the service sent. */
async function expectSame(url: string, expected: Answer): Promise<void> {
  const sent = await ask(url, { method: expected.method === 'POST' ? 'POST' : 'GET', path: expected.path })
  if (!Bun.deepEquals(sent, expected))
    throw new Error(`The floor's answer differs: ${expected.method} ${expected.path}`)
}

async function wrk(url: string, planFile: string, seconds: number) {
  const flags = ['-t1', `-c${CONNECTIONS}`, `-d${seconds}s`, '--timeout', '10s']
  const script = join(ROOT, 'bench/replay.lua')
  const child = Bun.spawn(['wrk', ...flags, '-s', script, url, '--', planFile, KEY], { stderr: 'pipe' })
  const [output, complaint] = await Promise.all([child.stdout.text(), child.stderr.text(), child.exited])
  const result = /^RESULT (.*)$/m.exec(output)?.[1]
  if (result === undefined) throw new Error(`wrk gave no result: ${complaint || output}`)
  const raw = JSON.parse(result) as Record<'requests' | 'microseconds' | 'p50' | 'p99' | 'failures', number>
  return {
    perSecond: (raw.requests / raw.microseconds) * 1e6,
    p50Ms: raw.p50 / 1e3,
    p99Ms: raw.p99 / 1e3,
    failures: raw.failures,
    seconds: raw.microseconds / 1e6,
    clientSeconds: Number(child.resourceUsage()?.cpuTime.total ?? 0) / 1e6,
  }
}

const childrenOf = (pid: number): number[] =>
  readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean).map(Number)

const familyOf = (pid: number): number[] => [pid, ...childrenOf(pid)]

function residentMiB(pid: number): number {
  const kilobytes = familyOf(pid).map(each =>
    Number(/^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${each}/status`, 'utf8'))?.[1]),
  )
  return kilobytes.reduce((sum, each) => sum + each, 0) / 1024
}

/** CPU seconds of a process and its children, over all threads. */
function processSeconds(pid: number): number {
  const ticks = familyOf(pid).map(each => {
    const stat = readFileSync(`/proc/${each}/stat`, 'utf8')
    // The name in parentheses may contain spaces, so count from the closing one.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    return Number(fields[11]) + Number(fields[12])
  })
  return ticks.reduce((sum, each) => sum + each, 0) / TICKS_PER_SECOND
}

/** CPU seconds that the whole machine has been busy, including time stolen by its host. */
function machineSeconds(): number {
  const [, ...ticks] = (readFileSync('/proc/stat', 'utf8').split('\n', 1)[0] ?? '').split(/\s+/)
  const [user = 0, nice = 0, system = 0, , , irq = 0, softirq = 0, steal = 0] = ticks.map(Number)
  return (user + nice + system + irq + softirq + steal) / TICKS_PER_SECOND
}
