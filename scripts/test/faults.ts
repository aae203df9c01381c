import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { PostgresServer } from '../../tests/support/postgres/server.ts'
import { preflight } from '../../tests/support/programs/preflight.ts'
import { wantedBy } from '../../tests/support/programs/wanted.ts'
import { ROOT, say } from '../command.ts'
import { runTests } from './bun-tests.ts'
import { isGood } from './report.ts'

/** `npm run faults [-- name…]`: runs every attack, or the named ones, in full, one after the other, and writes a report. */
const ATTACKS = new Bun.Glob('tests/{faults,postgres,security}/**/*.test.ts')
const REPORT = join(ROOT, 'faults-report.json')

interface Figure {
  readonly promise: string
  readonly result: string
}

interface Outcome {
  readonly attack: string
  readonly seconds: number
  readonly passed: number
  readonly failed: number
  readonly skipped: number
  readonly notRun: readonly string[]
  readonly figures: readonly Figure[]
}

const nameOf = (file: string): string => basename(file, '.test.ts')

async function attack(file: string, notes: string): Promise<Outcome> {
  say(`\n── ${file}`)
  rmSync(notes, { force: true })
  const started = performance.now()
  const variables = { PETSTORE_FAULTS: 'full', PETSTORE_FAULTS_REPORT: notes }
  const { passed, failed, skipped, notRun } = await runTests([file], { parallel: 1, variables })
  const lines = existsSync(notes) ? readFileSync(notes, 'utf8').trim().split('\n') : []
  return {
    attack: nameOf(file),
    seconds: Math.round((performance.now() - started) / 1000),
    passed,
    failed,
    skipped,
    notRun,
    figures: lines.map(line => JSON.parse(line) as Figure),
  }
}

function table(outcomes: readonly Outcome[]): string {
  return outcomes
    .flatMap(({ attack, seconds, passed, failed, notRun, figures }) => [
      `${failed === 0 ? '✓' : '✗'} ${attack}: ${passed} held, ${failed} broken (${seconds} s)`,
      ...notRun.map(line => `    ${line}`),
      ...figures.map(({ promise, result }) => `    ${promise}: ${result}`),
    ])
    .join('\n')
}

const wanted = process.argv.slice(2).filter(arg => !arg.startsWith('--'))
const all = [...ATTACKS.scanSync({ cwd: ROOT })].toSorted()
const files = all.filter(file => wanted.length === 0 || wanted.includes(nameOf(file)))
if (files.length === 0) {
  say(`No attack has that name. There are: ${all.map(nameOf).join(', ')}`)
  process.exit(1)
}

await preflight(await wantedBy(ROOT, files))
const folder = mkdtempSync(join(tmpdir(), 'petstore-faults-'))
// One server for all attacks: those that leave it unharmed share it, as the tests do.
const postgres = await PostgresServer.create()
process.env.PETSTORE_TEST_POSTGRES_URL ||= postgres.url()
const outcomes: Outcome[] = []
for (const file of files) {
  outcomes.push(await attack(file, join(folder, 'figures')))
  // Written after each attack, so that an interrupted run keeps the earlier results.
  await Bun.write(REPORT, `${JSON.stringify({ date: new Date().toISOString(), outcomes }, null, 2)}\n`)
}
await postgres.remove()
rmSync(folder, { recursive: true })

const sum = (of: 'passed' | 'failed' | 'skipped'): number =>
  outcomes.reduce((total, outcome) => total + outcome[of], 0)
say(`\n${table(outcomes)}\n\nfaults-report.json has the same for machines.`)
say(`${sum('passed')} passed, ${sum('failed')} failed, ${sum('skipped')} skipped`)
process.exit(isGood({ failed: sum('failed'), skipped: sum('skipped') }) ? 0 : 1)
