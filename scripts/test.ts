import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { PostgresServer } from '../tests/support/postgres.ts'
import { runChecks } from './checks.ts'
import { ROOT, say } from './command.ts'

/**
 * `npm test [-- part-of-a-path…]` runs the checks and the fast tests, `npm run test:thorough` those in tests/thorough. What is
 * judged by the clock or by processor time is named `….alone.test.ts` and runs after the others, one file at a time.
 */
const isThorough = process.argv.includes('--thorough')
const filters = process.argv.slice(2).filter(word => !word.startsWith('--'))
const THOROUGH = 'tests/thorough/'
const ALONE = '.alone.test.ts'
/** Catch hangs; generous, because everything is slow on a busy machine. A matcher that waits for a promise holds up the first. */
const [TEST_MINUTES, RUN_MINUTES] = isThorough ? [5, 60] : [2, 15]
const SHARED = [`--parallel=${(isThorough ? 1 : 2) * availableParallelism()}`, '--no-isolate']

// Everything that a test leaves behind is in this folder.
const folder = mkdtempSync(join(tmpdir(), 'petstore-test-'))
process.env.TMPDIR = folder
const missingList = join(folder, 'missing-programs')
const total = { pass: 0, fail: 0, skip: 0 }

function testFiles(): string[] {
  const all = [...new Bun.Glob('{src,client,tests}/**/*.test.ts').scanSync({ cwd: ROOT })].toSorted()
  const tier = all.filter(file => !file.includes('node_modules/') && file.startsWith(THOROUGH) === isThorough)
  return tier.filter(file => filters.length === 0 || filters.some(part => `./${file}`.includes(part)))
}

/** Shows the progress of `bun test` as it comes; returns the files in which something failed. */
async function runTests(files: readonly string[], flags: readonly string[], url: string): Promise<string[]> {
  if (files.length === 0) return []
  const usual = ['--dots', `--timeout=${TEST_MINUTES * 60_000}`, '--no-orphans']
  const paths = files.map(file => `./${file}`)
  const child = Bun.spawn([process.execPath, 'test', ...usual, ...flags, ...paths], {
    cwd: ROOT,
    env: {
      ...process.env,
      PETSTORE_TEST_MINUTES: String(TEST_MINUTES),
      PETSTORE_TEST_POSTGRES_URL: url,
      PETSTORE_TEST_MISSING: missingList,
    },
    stdio: ['ignore', 'ignore', 'pipe'],
    timeout: RUN_MINUTES * 60_000,
    killSignal: 'SIGKILL',
  })
  let text = ''
  for await (const chunk of child.stderr.pipeThrough(new TextDecoderStream())) {
    text += chunk
    // The counts follow at the end of the run.
    process.stdout.write(chunk.replaceAll(/^ *(\d+ (pass|fail|skip|error|expect\(\) calls)|Ran .*)\n/gm, ''))
  }
  const plain = Bun.stripANSI(text)
  const count = (word: string): number => Number(new RegExp(`^ *(\\d+) ${word}$`, 'm').exec(plain)?.[1] ?? 0)
  // What fails outside a test, or kills the runner, shows only in the exit code.
  total.fail += Math.max(count('fail'), (await child.exited) === 0 ? 0 : 1)
  total.pass += count('pass')
  total.skip += count('skip')
  if (child.signalCode !== null) say(`\nEnded by ${child.signalCode}; a run may take ${RUN_MINUTES} minutes.`)
  const sections = plain.split(/^(?=\S+\.test\.ts:$)/m)
  const failed = sections.filter(section => /^\(fail\)|^error: |^# Unhandled/m.test(section))
  return files.filter(file => failed.some(section => section.startsWith(`${file}:`)))
}

const started = performance.now()
const files = testFiles()
if (files.length === 0) total.fail++
const checks = isThorough || filters.length > 0 ? Promise.resolve([]) : runChecks()
const postgres = await PostgresServer.create()
const together = files.filter(file => !file.endsWith(ALONE))
const alone = files.filter(file => file.endsWith(ALONE))
const failedFiles = [
  ...(await runTests(together, SHARED, postgres.url())),
  ...(await runTests(alone, [], postgres.url())),
]
for (const { name, isGood, text } of await checks) {
  total[isGood ? 'pass' : 'fail']++
  if (!isGood) say(`\n✗ ${name}\n${text.trim()}`)
}
await postgres.remove()
const missing = existsSync(missingList) ? readFileSync(missingList, 'utf8').trim().split('\n') : []
rmSync(folder, { recursive: true, force: true })

say('')
for (const file of new Set(failedFiles))
  say(`To run it alone: npm ${isThorough ? 'run test:thorough' : 'test'} -- ${file}`)
if (missing.length > 0) say(`Skipped for want of: ${[...new Set(missing)].toSorted().join(', ')}`)
if (files.length === 0) say(`No test file has ${filters.join(' or ')} in its path.`)
say(`${Math.round((performance.now() - started) / 1000)} seconds`)
say(`${total.pass} passed, ${total.fail} failed, ${total.skip} skipped`)
const isCi = !['', '0', 'false'].includes(process.env.CI ?? '')
process.exit(total.fail === 0 && !(isCi && total.skip > 0) ? 0 : 1)
