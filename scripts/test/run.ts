import { preflight } from '../../tests/support/programs/preflight.ts'
import { wantedBy } from '../../tests/support/programs/wanted.ts'
import { ROOT, run, say } from '../command.ts'
import { runTests } from './bun-tests.ts'
import { CHECKS } from './checks.ts'
import { testFiles } from './files.ts'
import { type Count, isGood } from './report.ts'

/** `npm test [-- filter…]`: every check and every test, whatever fails on the way, and one line that counts them. */
const QUICK = ['./src/', './client/', './scripts/', './tests/contract/']

const args = process.argv.slice(2)
const has = (flag: string): boolean => args.includes(flag)
const named = args.filter(arg => !arg.startsWith('--'))
const filters = has('--quick') && named.length === 0 ? QUICK : named
const summary: string[] = []
const notRun: string[] = []
const total = { passed: 0, failed: 0, skipped: 0 }

async function step(name: string, work: () => Promise<Count>): Promise<void> {
  say(`\n── ${name}`)
  const started = performance.now()
  const count = await work()
  const seconds = ((performance.now() - started) / 1000).toFixed(1)
  total.passed += count.passed
  total.failed += count.failed
  total.skipped += count.skipped
  notRun.push(...count.notRun)
  summary.push(`${count.failed === 0 ? '✓' : '✗'} ${name} (${seconds} s)`)
}

const judged = (isGood: boolean): Count => ({
  passed: isGood ? 1 : 0,
  failed: isGood ? 0 : 1,
  skipped: 0,
  notRun: [],
})

if (!has('--checks-only')) {
  const wanted = await wantedBy(ROOT, testFiles(filters))
  const all = has('--with-benchmark') ? new Map([...wanted, ['wrk', ['the benchmark']] as const]) : wanted
  await preflight(all)
}

for (const { name, passes } of CHECKS) await step(name, async () => judged(await passes()))

if (!has('--checks-only')) await step('tests', () => runTests(filters))

// Apart from the tests, which would take its processors away.
if (has('--with-benchmark'))
  await step('speed', async () => judged((await run([process.execPath, 'bench/run.ts', '--check'])) === 0))

say(`\n${[...summary, '', ...notRun].join('\n')}`)
say(`${total.passed} passed, ${total.failed} failed, ${total.skipped} skipped`)
process.exit(isGood(total) ? 0 : 1)
