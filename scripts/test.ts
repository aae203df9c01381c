import { runTests } from './bun-tests.ts'
import { CHECKS } from './checks.ts'
import { run, say } from './command.ts'

/** `npm test [-- filter…]`: every check and every test, whatever fails on the way, and one line that counts them. */
const args = process.argv.slice(2)
const summary: string[] = []
let passed = 0
let failed = 0

async function step(name: string, work: () => Promise<{ passed: number; failed: number }>): Promise<void> {
  say(`\n── ${name}`)
  const started = performance.now()
  const count = await work()
  const seconds = ((performance.now() - started) / 1000).toFixed(1)
  passed += count.passed
  failed += count.failed
  summary.push(`${count.failed === 0 ? '✓' : '✗'} ${name} (${seconds} s)`)
}

const judged = (isGood: boolean) => (isGood ? { passed: 1, failed: 0 } : { passed: 0, failed: 1 })

for (const { name, passes } of CHECKS) await step(name, async () => judged(await passes()))

if (!args.includes('--checks-only'))
  await step('tests', () => runTests(args.filter(arg => !arg.startsWith('--'))))

// Apart from the tests, which would take its processors away.
if (args.includes('--with-benchmark'))
  await step('speed', async () => judged((await run([process.execPath, 'bench/run.ts', '--check'])) === 0))

say(`\n${summary.join('\n')}\n`)
say(`${passed} passed, ${failed} failed`)
process.exit(failed === 0 ? 0 : 1)
