import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { runChecks } from './checks.ts'
import { ROOT, say } from './command.ts'
import { startPostgres } from './postgres.ts'

/**
 * `npm test [-- part-of-a-path…]` runs the checks and the fast tests, `npm run test:thorough` the long proofs, which kill, fill
 * disks and time things, and therefore run one file at a time.
 */
const isThorough = process.argv.includes('--thorough')
const filters = process.argv.slice(2).filter(word => !word.startsWith('--'))
const isChecked = !isThorough && filters.length === 0
const THOROUGH = 'tests/thorough/'
/** Catches hangs; generous, because everything is slow on a busy machine. tests/support/setup.ts has it for a file run alone. */
const TIME_LIMIT_MS = 5 * 60_000

// Everything that a test leaves behind is in this folder.
const folder = mkdtempSync(join(tmpdir(), 'petstore-test-'))
process.env.TMPDIR = folder
const missingList = join(folder, 'missing-programs')

function testFiles(): string[] {
  const all = [...new Bun.Glob('{src,client,tests}/**/*.test.ts').scanSync({ cwd: ROOT })].toSorted()
  const tier = all.filter(file => !file.includes('node_modules/') && file.startsWith(THOROUGH) === isThorough)
  return tier.filter(file => filters.length === 0 || filters.some(part => `./${file}`.includes(part)))
}

/** Shows the progress of `bun test` as it comes; returns all of it. */
async function runTests(
  files: readonly string[],
  postgresUrl: string,
): Promise<{ code: number; text: string }> {
  const speed = isThorough ? [] : [`--parallel=${2 * availableParallelism()}`, '--no-isolate']
  const flags = [...speed, '--dots', `--timeout=${TIME_LIMIT_MS}`, '--no-orphans']
  const child = Bun.spawn([process.execPath, 'test', ...flags, ...files.map(file => `./${file}`)], {
    cwd: ROOT,
    env: { ...process.env, PETSTORE_TEST_POSTGRES_URL: postgresUrl, PETSTORE_TEST_MISSING: missingList },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let text = ''
  for await (const chunk of child.stderr.pipeThrough(new TextDecoderStream())) {
    text += chunk
    process.stdout.write(chunk)
  }
  return { code: await child.exited, text }
}

/** The files in which a test failed. */
function failedFiles(text: string): string[] {
  const sections = Bun.stripANSI(text).split(/^(?=\S+\.test\.ts:$)/m)
  const failed = sections.filter(section => /^\(fail\)|^error: |^# Unhandled/m.test(section))
  return [...new Set(failed.map(section => section.slice(0, section.indexOf(':'))))].filter(file =>
    file.endsWith('.test.ts'),
  )
}

const started = performance.now()
const files = testFiles()
const checks = isChecked ? runChecks() : Promise.resolve([])
const postgres = await startPostgres()
const { code, text } = await runTests(files, postgres.url)
const failures = (await checks).filter(({ isGood }) => !isGood)
for (const { name, text } of failures) say(`\n✗ ${name}\n${text.trim()}`)
await postgres.stop()
const missing = existsSync(missingList)
  ? new Set(readFileSync(missingList, 'utf8').trim().split('\n'))
  : new Set()
rmSync(folder, { recursive: true, force: true })

const count = (word: string): number => Number(new RegExp(`^\\s*(\\d+) ${word}$`, 'm').exec(text)?.[1] ?? 0)
const passed = count('pass') + (await checks).length - failures.length
// What fails outside a test, or kills the runner, shows only in the exit code.
const failed = Math.max(count('fail'), code === 0 && files.length > 0 ? 0 : 1) + failures.length
const skipped = count('skip')
for (const file of failedFiles(text))
  say(`To run it alone: npm ${isThorough ? 'run test:thorough' : 'test'} -- ${file}`)
if (missing.size > 0) say(`Skipped for want of: ${[...missing].toSorted().join(', ')}`)
if (files.length === 0) say(`No test file matches ${filters.join(' or ')}.`)
say(`In ${Math.round((performance.now() - started) / 1000)} s:`)
say(`${passed} passed, ${failed} failed, ${skipped} skipped`)
const isCi = !['', '0', 'false'].includes(process.env.CI ?? '')
process.exit(failed === 0 && !(isCi && skipped > 0) ? 0 : 1)
