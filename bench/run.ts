import { existsSync } from 'node:fs'
import { cpus, release, totalmem } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { capture, ROOT, say } from '../scripts/command.ts'
import { buildGo, CONTESTANTS, PEERS } from './contestants.ts'
import { CONNECTIONS, measure, type Options } from './measure.ts'
import { drawing, type Results, report } from './report.ts'
import { WORKLOADS, type Workload } from './workloads.ts'

const USAGE = `npm run bench -- [options]

  --quick          the service and the floor only, short rounds, within two minutes
  --only a,b       only these workloads: ${Object.keys(WORKLOADS).join(', ')}
  --rounds N       rounds of each workload (3)
  --seconds N      seconds of load in each round (3)
  --animals N      animals in the store of the random workloads (1000000)
  --report-only    write the report again from results/latest.json
`
const RESULTS = join(ROOT, 'bench/results')

function workload(name: string): Workload {
  if (!(name in WORKLOADS)) throw new Error(`There is no workload ${name}.`)
  return name as Workload
}

function positive(name: string, text: string): number {
  if (/^[1-9]\d*$/.test(text)) return Number(text)
  throw new Error(`--${name} must be a whole number from 1.`)
}

function readOptions(): Options & { readonly isQuick: boolean; readonly isReportOnly: boolean } {
  const text = { type: 'string' } as const
  const flag = { type: 'boolean', default: false } as const
  const { values } = parseArgs({
    options: { quick: flag, 'report-only': flag, only: text, rounds: text, seconds: text, animals: text },
  })
  const names = values.only?.split(',') ?? Object.keys(WORKLOADS)
  return {
    isQuick: values.quick,
    isReportOnly: values['report-only'],
    rounds: positive('rounds', values.rounds ?? '3'),
    seconds: positive('seconds', values.seconds ?? (values.quick ? '1' : '3')),
    // The JIT compiler needs seconds for code of this size; a quick run does not wait until it has finished.
    warmUpSeconds: values.quick ? 1 : 3,
    workloads: names.map(workload),
    contestants: CONTESTANTS.filter(({ name }) => !values.quick || name === 'floor' || name === 'service'),
    animals: positive('animals', values.animals ?? '1000000'),
  }
}

/** Leaves out the peers that cannot be started here, and says why. */
function present(options: Options): Options {
  const missing = new Map<string, string>()
  const peers = options.contestants.filter(({ kind }) => kind === 'peer')
  const goProblem = peers.length > 0 ? buildGo() : undefined
  for (const { name } of peers) {
    if (name === 'go' && goProblem) missing.set(name, goProblem)
    if (name !== 'go' && !existsSync(join(PEERS, 'node_modules')))
      missing.set(name, 'run npm ci --prefix bench/peers')
  }
  for (const [name, problem] of missing) say(`Without ${name}: ${problem}`)
  return { ...options, contestants: options.contestants.filter(({ name }) => !missing.has(name)) }
}

async function described(options: Options): Promise<Omit<Results, 'rounds'>> {
  const first = async (...command: string[]) => (await capture(...command)).text.trim()
  const versions = [`Bun ${Bun.version}`, `Node ${await first('node', '--version')}`, `Linux ${release()}`]
  const model = cpus()[0]?.model
  const memory = `${Math.round(totalmem() / 2 ** 30)} GiB`
  return {
    date: new Date().toISOString(),
    revision: await first('git', 'rev-parse', '--short', 'HEAD'),
    machine: [
      model && model !== 'unknown' ? model : process.arch,
      `${cpus().length} cores`,
      memory,
      ...versions,
    ].join(', '),
    settings: `${options.rounds} interleaved rounds of ${options.seconds} s, fresh processes, ${CONNECTIONS} connections`,
  }
}

async function main(): Promise<void> {
  const { isQuick, isReportOnly, ...asked } = readOptions()
  const latest = Bun.file(join(RESULTS, 'latest.json'))
  if (!isReportOnly && Bun.which('wrk') === null)
    throw new Error('The load comes from wrk: apt-get install wrk')
  const options = isReportOnly ? asked : present(asked)
  const results: Results = isReportOnly
    ? await latest.json()
    : { ...(await described(options)), rounds: await measure(options) }
  const text = report(results)
  say(`\n${text}`)
  // Only a complete run replaces the report that the README shows.
  if (isQuick || options.workloads.length < Object.keys(WORKLOADS).length) return
  const { rounds, ...about } = results
  const lines = rounds.map(round => `    ${JSON.stringify(round)}`).join(',\n')
  await Bun.write(
    latest,
    `${JSON.stringify(about, null, 2).slice(0, -2)},\n  "rounds": [\n${lines}\n  ]\n}\n`,
  )
  await Bun.write(join(RESULTS, 'latest.md'), text)
  await Bun.write(join(RESULTS, 'latest.svg'), drawing(results))
}

await main().catch(error => {
  say(`${error instanceof Error ? error.message : error}\n\n${USAGE}`)
  process.exitCode = 1
})
