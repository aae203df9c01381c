import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { argumentsOf, ROOT, refuse, say } from '../../scripts/command.ts'
import { type Contestant, SERVICE } from '../contestants.ts'
import { described } from '../load.ts'
import { Bench } from '../measure.ts'
import { FEW, WORKLOADS, type Workload } from '../workloads.ts'
import { measureCreates } from './creates.ts'
import { measureFailovers } from './failovers.ts'
import { drawing, type Loaded, type Results, report } from './report.ts'
import { measureStores } from './stores.ts'

const ROUNDS = { load: 2, creates: 3 }
const RESULTS = join(ROOT, 'bench/results/capacity')
const MILLION = 1_000_000
const threads = (count: number): Contestant => ({
  ...SERVICE,
  kind: 'variant',
  name: `${count} threads`,
  env: { PETSTORE_THREADS: String(count) },
})
const VARIANTS = [SERVICE, threads(2), threads(4), { ...SERVICE, kind: 'variant', name: 'postgres' }] as const

/** Every workload with each number of threads and on PostgreSQL. */
async function measureLoad(rounds: number): Promise<Loaded[]> {
  const workloads = (Object.keys(WORKLOADS) as Workload[]).filter(name => !WORKLOADS[name].syncDelayMs)
  const options = {
    rounds,
    seconds: 1,
    warmUpSeconds: 2,
    contestants: VARIANTS,
    workloads,
    mostAnimals: MILLION,
  }
  const bench = new Bench(options)
  const found: Loaded[] = []
  try {
    for (let round = 1; round <= rounds; round++)
      for (const workload of workloads)
        for (const contestant of VARIANTS) {
          const animals = WORKLOADS[workload].isKept ? MILLION : FEW
          const { perSecond, serverCores, residentMiB } = await bench.run(contestant, workload, animals)
          say(
            `${round}/${rounds}  ${workload.padEnd(13)}${contestant.name.padEnd(10)}${perSecond.toFixed(0)}/s`,
          )
          found.push({ workload, variant: contestant.name, perSecond, serverCores, residentMiB })
        }
  } finally {
    await bench.end()
  }
  return found
}

const PARTS = {
  load: async () => ({ load: await measureLoad(ROUNDS.load) }),
  creates: async () => ({ creates: await measureCreates(ROUNDS.creates) }),
  stores: () => measureStores([MILLION, 10 * MILLION]),
  failovers: async () => ({ failovers: await measureFailovers() }),
}

/** A line for each measurement. */
function jsonOf(found: Partial<Results>): string {
  const parts = Object.entries(found).map(([name, part]) => {
    const rows = Array.isArray(part) ? part.map(row => `\n    ${JSON.stringify(row)}`) : undefined
    return `  "${name}": ${rows ? `[${rows}\n  ]` : JSON.stringify(part)}`
  })
  return `{\n${parts.join(',\n')}\n}\n`
}

const USAGE = `npm run capacity -- [part…]

Measures everything, or only these parts: ${Object.keys(PARTS).join(', ')}. Parts that are not measured stay as they were.`

const { positionals: names } = argumentsOf(USAGE, {}, true)
const unknown = names.find(name => !(name in PARTS))
if (unknown !== undefined) refuse(`There is no part ${unknown}.`, USAGE)
const parts = Object.entries(PARTS).filter(([name]) => names.length === 0 || names.includes(name))
let results: Partial<Results> = existsSync(`${RESULTS}.json`) ? await Bun.file(`${RESULTS}.json`).json() : {}
for (const [, measure] of parts) {
  results = { ...results, ...(await described()), ...(await measure()) }
  await Bun.write(`${RESULTS}.json`, jsonOf(results))
}
const isComplete = (found: Partial<Results>): found is Results =>
  [found.load, found.creates, found.sizes, found.failovers].every(Boolean)
if (isComplete(results)) {
  await Bun.write(`${RESULTS}.md`, report(results))
  await Bun.write(`${RESULTS}.svg`, drawing(results))
}
