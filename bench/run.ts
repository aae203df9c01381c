import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { NO_INSTALL, preflightOf } from '../tests/support/programs/preflight.ts'
import { checkSpeed } from './harness/check.ts'
import { PEERS, ROOT } from './harness/contestants.ts'
import { measure, type Results } from './harness/measure.ts'
import { type Options, readOptions, USAGE } from './harness/options.ts'
import { summarise } from './harness/summary.ts'
import { floorTable, peerTable } from './report/tables.ts'
import { LATEST, PARTIAL, readResults, writeRaw, writeReport } from './report/write.ts'

function say(line: string): void {
  process.stdout.write(`${line}\n`)
}

function missing(options: Options): string | undefined {
  const installed = (folder: string) => existsSync(join(folder, 'node_modules'))
  if (options.reportOnly) return undefined
  if (options.peers && !(installed(PEERS) && installed(join(ROOT, 'bench')))) {
    return 'The peers are not installed: run `npm ci --prefix bench && npm ci --prefix bench/peers`, or use --no-peers.'
  }
  return undefined
}

async function report(results: Results, isFull: boolean): Promise<void> {
  if (isFull) await writeReport(results)
  else await writeRaw(PARTIAL, results)
}

async function main(args: string[]): Promise<number> {
  const options = readOptions(args)
  if (!options.reportOnly) await preflightOf('npm run bench', 'wrk')
  const complaint = missing(options)
  if (complaint) {
    say(complaint)
    return 1
  }
  if (options.check) {
    const short = await checkSpeed(options, say)
    for (const sentence of short) say(sentence)
    return short.length === 0 ? 0 : 1
  }
  const results = options.reportOnly ? await readResults(LATEST) : await measure(options, say)
  // Only a complete run replaces the report that the README shows.
  await report(results, options.reportOnly || (options.peers && options.workloads.length === 5))
  const summary = summarise(results.rounds)
  say(`\n${floorTable(summary)}`)
  if (options.peers) say(`\n${peerTable(summary)}`)
  return 0
}

try {
  process.exitCode = await main(process.argv.slice(2).filter(arg => arg !== NO_INSTALL))
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : error}\n\n${USAGE}`)
  process.exitCode = 2
}
