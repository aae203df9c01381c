import { NO_INSTALL, preflight } from '../../tests/support/programs/preflight.ts'
import { wantedBy } from '../../tests/support/programs/wanted.ts'
import { ROOT, run, say } from '../command.ts'
import { runTests } from './bun-tests.ts'
import { CHECKS } from './checks.ts'
import { testFiles } from './files.ts'
import { type Count, isGood } from './report.ts'

/** `npm test [-- filter…]`: runs every check and every test, even after a failure, and prints one line of totals. */
const CHECKS_ONLY = '--checks-only'
const QUICK = '--quick'
const WITH_BENCHMARK = '--with-benchmark'
const UPDATE_TIMINGS = '--update-timings'
const FLAGS = [CHECKS_ONLY, QUICK, WITH_BENCHMARK, NO_INSTALL, UPDATE_TIMINGS]
const QUICK_ONES = ['./src/', './client/', './scripts/', './tests/contract/']

const args = process.argv.slice(2)
const has = (flag: string): boolean => args.includes(flag)
const unknown = args.find(arg => arg.startsWith('--') && !FLAGS.includes(arg))
if (unknown !== undefined) {
  say(
    `npm test does not know ${unknown}. It takes parts of the paths of test files, and ${FLAGS.join(', ')}.`,
  )
  process.exit(2)
}

const named = args.filter(arg => !arg.startsWith('--'))
const filters = has(QUICK) && named.length === 0 ? QUICK_ONES : named
const summary: string[] = []
const notRun: string[] = []
const total = { passed: 0, failed: 0, skipped: 0 }

async function step(name: string, work: Promise<Count>): Promise<void> {
  const started = performance.now()
  say(`\n── ${name}`)
  const count = await work
  total.passed += count.passed
  total.failed += count.failed
  total.skipped += count.skipped
  notRun.push(...count.notRun)
  const seconds = ((performance.now() - started) / 1000).toFixed(1)
  summary.push(`${count.failed === 0 ? '✓' : '✗'} ${name} (${seconds} s)`)
}

const one = (isGood: boolean): Count => ({
  passed: isGood ? 1 : 0,
  failed: isGood ? 0 : 1,
  skipped: 0,
  notRun: [],
})

/** Runs all at once and prints their output in order. */
async function check(): Promise<Count> {
  const verdicts = CHECKS.map(({ name, look }) => ({ name, verdict: look() }))
  let failed = 0
  for (const { name, verdict } of verdicts) {
    const { isGood, text } = await verdict
    if (!isGood) failed++
    say([`${isGood ? '✓' : '✗'} ${name}`, isGood ? '' : text.trim()].filter(Boolean).join('\n'))
  }
  return { ...one(true), passed: CHECKS.length - failed, failed }
}

if (!has(CHECKS_ONLY)) {
  const wanted = await wantedBy(ROOT, testFiles(filters))
  const all = has(WITH_BENCHMARK) ? new Map([...wanted, ['wrk', ['the benchmark']] as const]) : wanted
  await preflight(all)
}

await step('checks', check())

if (!has(CHECKS_ONLY)) await step('tests', runTests(filters, { doesUpdateTimings: has(UPDATE_TIMINGS) }))

// Runs apart from the tests, which would compete for the processors.
if (has(WITH_BENCHMARK))
  await step(
    'speed',
    run([process.execPath, 'bench/run.ts', '--check']).then(code => one(code === 0)),
  )

say(`\n${[...summary, '', ...notRun].join('\n')}`)
say(`${total.passed} passed, ${total.failed} failed, ${total.skipped} skipped`)
process.exit(isGood(total) ? 0 : 1)
