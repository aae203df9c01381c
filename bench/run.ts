import { join } from 'node:path'
import { argumentsOf, ROOT, refuse, say } from '../scripts/command.ts'
import { CONTESTANTS } from './contestants.ts'
import { CONNECTIONS, described, LOAD_SECONDS } from './load.ts'
import { measure, type Options } from './measure.ts'
import { type Results, report } from './report.ts'
import { WORKLOADS, type Workload } from './workloads.ts'

const USAGE = `npm run bench -- [options]

  --quick          the service and the floor only, two rounds, within four minutes
  --only a,b       only these workloads: ${Object.keys(WORKLOADS).join(', ')}`
const RESULTS = join(ROOT, 'bench/results')

function workload(name: string): Workload {
  if (!(name in WORKLOADS)) refuse(`There is no workload ${name}.`, USAGE)
  return name as Workload
}

function readOptions(): Options & { readonly isComplete: boolean } {
  const flags = { quick: { type: 'boolean', default: false }, only: { type: 'string' } } as const
  const { quick: isQuick, only } = argumentsOf(USAGE, flags).values
  return {
    isComplete: !isQuick && only === undefined,
    rounds: isQuick ? 2 : 5,
    workloads: (only?.split(',') ?? Object.keys(WORKLOADS)).map(workload),
    contestants: CONTESTANTS.filter(({ name }) => !isQuick || name === 'floor' || name === 'service'),
    mostAnimals: isQuick ? 1_000_000 : 10_000_000,
  }
}

const settingsOf = ({ rounds }: Options): string =>
  `${rounds} interleaved rounds of ${LOAD_SECONDS} s, each with fresh processes and ${CONNECTIONS} connections`

async function main(): Promise<void> {
  const { isComplete, ...options } = readOptions()
  const missing = ['wrk', 'strace'].filter(program => Bun.which(program) === null)
  if (missing.length > 0) throw new Error(`Not installed: ${missing.join(', ')}`)
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
}

await main().catch(error => {
  say(error instanceof Error ? error.message : String(error))
  process.exitCode = 1
})
