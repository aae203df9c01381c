import { join } from 'node:path'
import { argumentsOf, ROOT, refuse, say } from '../scripts/command.ts'
import { CONTESTANTS } from './contestants.ts'
import { CONNECTIONS, described } from './load.ts'
import { measure, type Options } from './measure.ts'
import { drawing, type Results, report } from './report.ts'
import { WORKLOADS, type Workload } from './workloads.ts'

const USAGE = `npm run bench -- [options]

  --quick          the service and the floor only, short rounds, within three minutes
  --only a,b       only these workloads: ${Object.keys(WORKLOADS).join(', ')}
  --rounds N       rounds of each workload, each with a fresh start of every contestant (5; 2 with --quick)
  --seconds N      seconds of load in each round (1)
  --animals N      animals in the largest store (10000000; 1000000 with --quick)`
const RESULTS = join(ROOT, 'bench/results')

function workload(name: string): Workload {
  if (!(name in WORKLOADS)) refuse(`There is no workload ${name}.`, USAGE)
  return name as Workload
}

function positive(name: string, text: string): number {
  if (/^[1-9]\d*$/.test(text)) return Number(text)
  return refuse(`--${name} must be a whole number from 1.`, USAGE)
}

function readOptions(): Options & { readonly isComplete: boolean } {
  const text = { type: 'string' } as const
  const flag = { type: 'boolean', default: false } as const
  const flags = { quick: flag, only: text, rounds: text, seconds: text, animals: text }
  const { quick: isQuick, only, rounds, seconds, animals } = argumentsOf(USAGE, flags).values
  return {
    isComplete: !isQuick && only === undefined && animals === undefined,
    rounds: positive('rounds', rounds ?? (isQuick ? '2' : '5')),
    seconds: positive('seconds', seconds ?? '1'),
    // The JIT compiler needs seconds for code of this size; a quick run does not wait until it has finished.
    warmUpSeconds: isQuick ? 1 : 2,
    workloads: (only?.split(',') ?? Object.keys(WORKLOADS)).map(workload).filter(isPossible),
    contestants: CONTESTANTS.filter(({ name }) => !isQuick || name === 'floor' || name === 'service'),
    mostAnimals: positive('animals', animals ?? (isQuick ? '1000000' : '10000000')),
  }
}

/** Leaves out what cannot be measured without a program that is missing here. */
function isPossible(name: Workload): boolean {
  if (WORKLOADS[name].syncDelayMs === undefined || Bun.which('strace') !== null) return true
  say(`Without ${name}: strace is not installed`)
  return false
}

const settingsOf = ({ rounds, seconds }: Options): string =>
  `${rounds} interleaved rounds of ${seconds} s, each with fresh processes and ${CONNECTIONS} connections`

async function main(): Promise<void> {
  const { isComplete, ...options } = readOptions()
  if (Bun.which('wrk') === null) throw new Error('The load comes from wrk: apt-get install wrk')
  const about = { ...(await described()), settings: settingsOf(options) }
  const results: Results = { ...about, ...(await measure(options)) }
  const text = report(results)
  say(`\n${text}`)
  // Only a complete run replaces the report that the README shows.
  if (!isComplete) return
  const { rounds, ...rest } = results
  const lines = rounds.map(round => `    ${JSON.stringify(round)}`).join(',\n')
  const json = `${JSON.stringify(rest, null, 2).slice(0, -2)},\n  "rounds": [\n${lines}\n  ]\n}\n`
  await Bun.write(join(RESULTS, 'latest.json'), json)
  await Bun.write(join(RESULTS, 'latest.md'), text)
  await Bun.write(join(RESULTS, 'latest.svg'), drawing(results))
}

await main().catch(error => {
  say(error instanceof Error ? error.message : String(error))
  process.exitCode = 1
})
