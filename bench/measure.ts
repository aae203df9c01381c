import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { say } from '../scripts/command.ts'
import { freshDatabaseUrl, PostgresServer } from '../tests/support/postgres.ts'
import { type Contestant, type Place, type Running, SERVICE, start } from './contestants.ts'
import { cpuSeconds, loadAll } from './load.ts'
import { type Call, captured, cursorsOver, FEW, fill, WORKLOADS, type Workload } from './workloads.ts'

const STARTS = 7

export interface Options {
  readonly rounds: number
  readonly workloads: readonly Workload[]
  readonly contestants: readonly Contestant[]
  /** The number of animals in the largest store. */
  readonly mostAnimals: number
}

/** The figures of one fresh process under one workload. */
export interface Round {
  readonly round: number
  readonly workload: Workload
  readonly animals: number
  readonly contestant: string
  readonly perSecond: number
  readonly p50Ms: number
  readonly p99Ms: number
  readonly failures: number
  readonly residentMiB: number
  /** The cores used by the contestant. */
  readonly serverCores: number
}

/** Runs every workload against every contestant in turn, so that no contestant gets all the quiet minutes. */
export async function measure(options: Options) {
  const bench = new Bench()
  const rounds: Round[] = []
  const absent = new Set<Contestant>()
  try {
    const startsMs = await bench.starts()
    for (let round = 1; round <= options.rounds; round++)
      for (const workload of options.workloads)
        for (const { contestant, animals } of turns(options, workload, round)) {
          if (absent.has(contestant)) continue
          const figures = await bench.run(contestant, workload, animals).catch((error: unknown) => {
            // What needs other software may be missing here, and a long run does not end because of it.
            if (contestant.kind === 'floor' || contestant === SERVICE) throw error
            absent.add(contestant)
            say(`Without ${contestant.name}: ${error instanceof Error ? error.message : error}`)
          })
          if (figures === undefined) continue
          const { perSecond, failures } = figures
          rounds.push({ round, workload, animals, contestant: contestant.name, ...figures })
          const what = `${workload.padEnd(13)}${String(animals).padStart(8)}  ${contestant.name.padEnd(9)}`
          const rate = `${perSecond.toFixed(0).padStart(7)}/s${failures > 0 ? `, ${failures} failed` : ''}`
          say(`${round}/${options.rounds}  ${what}${rate}`)
        }
    return { startsMs, rounds }
  } finally {
    await bench.end()
  }
}

/** Everyone with the same number of animals, then the service with others, each of them once. */
function turns({ contestants, mostAnimals }: Options, workload: Workload, round: number) {
  const { contestants: names, sizes = [FEW] } = WORKLOADS[workload]
  const [own = FEW, ...others] = new Set(sizes.map(size => Math.min(size, mostAnimals)))
  const all = contestants.filter(({ name }) => names.includes(name))
  const found = [
    ...all.map(contestant => ({ contestant, animals: own })),
    ...others.map(animals => ({ contestant: SERVICE, animals })),
  ]
  // Every other round runs backwards, so that going first or last favours no contestant.
  return round % 2 === 1 ? found : found.toReversed()
}

export class Bench {
  readonly #folder = mkdtempSync(join(tmpdir(), 'petstore-bench-'))
  #postgres: PostgresServer | undefined
  readonly #kept = new Map<string, { readonly place: Place; readonly cursors: readonly string[] }>()

  /** Milliseconds of processor time until the service is ready, on an empty folder. */
  async starts(): Promise<number[]> {
    const found: number[] = []
    while (found.length < STARTS) {
      const running = await start(SERVICE, await this.#newPlace(SERVICE), { readyPath: '/readyz' })
      found.push(1000 * cpuSeconds(running.pid))
      await this.#end(running)
    }
    return found
  }

  async run(contestant: Contestant, workload: Workload, animals: number) {
    if (contestant.kind !== 'floor')
      return this.#serve(contestant, workload, animals, (running, requests) => this.#load(running, requests))
    return this.#serve(SERVICE, workload, animals, async (service, requests) => {
      const file = join(this.#folder, 'to-record')
      await Bun.write(file, linesOf(captured(workload, requests)))
      const place = await this.#newPlace(contestant)
      const floor = await start(contestant, place, { args: [service.url, file] })
      await service.stop()
      return this.#load(floor, requests).finally(() => this.#end(floor))
    })
  }

  async end(): Promise<void> {
    await this.#postgres?.remove()
    rmSync(this.#folder, { recursive: true, force: true })
  }

  async #load(running: Running, requests: readonly Call[]) {
    const planFile = join(this.#folder, 'plan')
    await Bun.write(planFile, linesOf(requests))
    return loadAll([running], planFile)
  }

  /** Starts a contestant on a filled store for as long as it is used. */
  async #serve<Result>(
    contestant: Contestant,
    workload: Workload,
    animals: number,
    use: (running: Running, requests: Call[]) => Promise<Result>,
  ): Promise<Result> {
    const { isKept, syncDelayMs, plan } = WORKLOADS[workload]
    const kept = isKept || animals > FEW ? await this.#keptStore(contestant, animals) : undefined
    const place = kept?.place ?? (await this.#newPlace(contestant))
    const running = await start(contestant, place, { syncDelayMs })
    try {
      if (kept === undefined) await fill(place.databaseUrl, animals)
      return await use(running, await plan({ url: running.url, animals, cursors: kept?.cursors ?? [] }))
    } finally {
      await (kept === undefined ? this.#end(running) : running.stop())
    }
  }

  async #newPlace({ name }: Contestant): Promise<Place> {
    const folder = mkdtempSync(join(this.#folder, `${name}-`))
    if (name !== 'postgres') return { folder, databaseUrl: `sqlite:${join(folder, 'bench.db')}` }
    this.#postgres ??= await PostgresServer.create()
    return { folder, databaseUrl: await freshDatabaseUrl(this.#postgres.url()) }
  }

  async #end({ stop, place }: Running): Promise<void> {
    await stop()
    rmSync(place.folder, { recursive: true, force: true })
  }

  /** Large stores take long to fill, so they stay, with what was added to them. */
  async #keptStore(contestant: Contestant, animals: number) {
    const key = `${contestant.name} ${animals}`
    const known = this.#kept.get(key)
    if (known !== undefined) return known
    const place = await this.#newPlace(contestant)
    const running = await start(contestant, place)
    const cursors = await cursorsOver(running.url, place.databaseUrl, animals).finally(running.stop)
    await fill(place.databaseUrl, animals)
    // Otherwise the system writes it to the disk in the middle of a round.
    Bun.spawnSync(['sync'])
    const store = { place, cursors }
    this.#kept.set(key, store)
    return store
  }
}

export const linesOf = (requests: readonly Call[]): string =>
  requests.map(({ method, path, body = '' }) => `${method}\t${path}\t${body}\n`).join('')
