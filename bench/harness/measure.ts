import { randomBytes } from 'node:crypto'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { captureAnswers } from './capture.ts'
import { entrantsOf } from './entrants.ts'
import { currentRevision, describeMachine, type Machine } from './machine.ts'
import type { Options } from './options.ts'
import { type Round, runRound } from './round.ts'
import { CONNECTIONS } from './wrk.ts'

export type Results = {
  date: string
  revision: string
  machine: Machine
  settings: { rounds: number; seconds: number; warmUpSeconds: number; connections: number; animals: number }
  rounds: Round[]
  /** Rounds that were run again because other processes kept the machine busy. */
  disturbed: Round[]
}

const DISTURBING_CORES = 0.3
/** On a machine that is never quiet, running everything again would only take longer. */
const REPEATED_AT_MOST = 0.25

/** Runs every workload against every contestant in turn, so that no contestant gets all the quiet minutes. */
export async function measure(options: Options, say: (line: string) => void): Promise<Results> {
  const directory = mkdtempSync(join(options.check ? memoryOr(tmpdir()) : tmpdir(), 'petstore-bench-run-'))
  const key = `bench_${randomBytes(20).toString('hex')}`
  const entrants = entrantsOf(options, say)
  const rounds: Round[] = []
  const disturbed: Round[] = []
  const repeats = Math.ceil(REPEATED_AT_MOST * options.rounds * options.workloads.length * entrants.length)
  try {
    const captured = await captureAnswers(options.workloads, key, directory)
    const course = {
      directory,
      key,
      captured,
      seconds: options.seconds,
      warmUpSeconds: options.warmUpSeconds,
    }
    for (let round = 1; round <= options.rounds; round++) {
      // Every other round runs backwards, so that going first or last favours no contestant.
      const order = round % 2 === 1 ? entrants : entrants.toReversed()
      for (const workload of options.workloads) {
        for (const contestant of order.filter(({ workloads }) => workloads?.includes(workload) ?? true)) {
          const attempt = async () => {
            const result = await runRound(round, workload, contestant, course)
            say(describe(result, options.rounds))
            return result
          }
          const [counted, ...rest] = await attempts(attempt, disturbed.length < repeats)
          rounds.push(counted)
          disturbed.push(...rest)
        }
      }
    }
    return {
      date: new Date().toISOString(),
      revision: currentRevision(),
      machine: describeMachine(directory),
      settings: {
        rounds: options.rounds,
        seconds: options.seconds,
        warmUpSeconds: options.warmUpSeconds,
        connections: CONNECTIONS,
        animals: captured.stock.animals.length,
      },
      rounds,
      disturbed,
    }
  } finally {
    rmSync(directory, { recursive: true, force: true })
  }
}

/** A check measures the code, so it keeps the disk out if there is a file system in memory. The floor writes nothing. */
const memoryOr = (folder: string): string => (existsSync('/dev/shm') ? '/dev/shm' : folder)

/** The quieter attempt comes first and counts, even if it is slower. */
async function attempts(attempt: () => Promise<Round>, mayRepeat: boolean): Promise<[Round, ...Round[]]> {
  const first = await attempt()
  if (!mayRepeat || first.otherCores <= DISTURBING_CORES) return [first]
  const second = await attempt()
  return first.otherCores <= second.otherCores ? [first, second] : [second, first]
}

function describe(result: Round, of: number): string {
  const rate = Math.round(result.perSecond).toString().padStart(7)
  const failed = result.failures > 0 ? `, ${result.failures} failed` : ''
  const others = `${result.otherCores.toFixed(2)} cores taken by others`
  const name = `${result.workload.padEnd(7)} ${result.contestant.padEnd(12)}`
  return `round ${result.round}/${of}  ${name} ${rate}/s  ${others}${failed}`
}
