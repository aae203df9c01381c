import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readFileSync, readlinkSync, rmSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { PostgresServer } from '../tests/support/postgres.ts'
import { prepare } from './build/prepare.ts'
import { runChecks } from './checks.ts'
import { argumentsOf, ROOT, say } from './command.ts'

/**
 * `npm test [-- part-of-a-path…]` runs the checks and the fast tests, `npm run test:thorough` those in tests/thorough and, in
 * a browser, those in tests/console. What is judged by the clock or by processor time is named `….alone.test.ts` and runs after the
 * others, one file at a time.
 */
const { isThorough, filters, named, bunFlags } = readArguments()
const THOROUGH = 'tests/thorough/'
/** In both tiers: without a browser, and in one. */
const CONSOLE = 'tests/console/'
const ALONE = '.alone.test.ts'
/** Catch hangs; generous, because everything is slow on a busy machine. A matcher that waits for a promise holds up the first. */
const [TEST_MINUTES, RUN_MINUTES] = isThorough ? [5, 60] : [2, 15]
const SHARED = [`--parallel=${(isThorough ? 1 : 2) * availableParallelism()}`, '--no-isolate']

// Everything that a test leaves behind is in this folder.
const folder = mkdtempSync(join(tmpdir(), 'petstore-test-'))
process.env.TMPDIR = folder
const missingList = join(folder, 'missing-programs')
const total = { pass: 0, fail: 0, skip: 0 }

/** Paths, and those flags of `bun test` that make sense here. */
function readArguments() {
  const options = {
    thorough: { type: 'boolean' },
    'test-name-pattern': { type: 'string', short: 't' },
    bail: { type: 'string' },
    coverage: { type: 'boolean' },
    randomize: { type: 'boolean' },
    seed: { type: 'string' },
  } as const
  const flags = Object.keys(options).filter(name => name !== 'thorough')
  const usage = `npm test -- [flags] [part-of-a-path…]\n\nFlags of bun test: --${flags.join(', --')} (-t).`
  const args = process.argv.slice(2).map(word => (word === '--bail' ? '--bail=1' : word))
  const { values, positionals, tokens } = argumentsOf(usage, options, true, args)
  const given = tokens.filter(token => token.kind === 'option' && token.name !== 'thorough')
  const bunFlags = given.map(({ name, value }) => `--${name}${value === undefined ? '' : `=${value}`}`)
  // Ours, so that both parts of a run have the same one.
  if (values.randomize && values.seed === undefined)
    bunFlags.push(`--seed=${Math.floor(Math.random() * 2 ** 31)}`)
  return {
    isThorough: values.thorough === true,
    filters: positionals,
    named: values['test-name-pattern'],
    bunFlags,
  }
}

function testFiles(): string[] {
  const all = [...new Bun.Glob('{src,web,client,tests}/**/*.test.ts').scanSync({ cwd: ROOT })].toSorted()
  const isMeant = (file: string) => file.startsWith(THOROUGH) === isThorough || file.startsWith(CONSOLE)
  const tier = all.filter(file => !file.includes('node_modules/') && isMeant(file))
  return tier.filter(file => filters.length === 0 || filters.some(part => `./${file}`.includes(part)))
}

/** Shows the progress of `bun test` as it comes; returns the files in which something failed. */
async function runTests(files: readonly string[], flags: readonly string[], url: string): Promise<string[]> {
  const hasBailed = total.fail > 0 && bunFlags.some(flag => flag.startsWith('--bail'))
  if (files.length === 0 || hasBailed) return []
  const usual = ['--dots', `--timeout=${TEST_MINUTES * 60_000}`, '--no-orphans', '--pass-with-no-tests']
  const paths = files.map(file => `./${file}`)
  const child = Bun.spawn([process.execPath, 'test', ...usual, ...flags, ...bunFlags, ...paths], {
    cwd: ROOT,
    env: {
      ...process.env,
      PETSTORE_TEST_MINUTES: String(TEST_MINUTES),
      PETSTORE_TEST_TIER: isThorough ? 'thorough' : 'fast',
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
    // The counts and the seed follow at the end of the run.
    const counts = /^ *(\d+ (pass|fail|skip|error|expect\(\) calls)|--seed=\d+|Ran .*)\n/gm
    process.stdout.write(chunk.replaceAll(counts, ''))
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

/** After Ctrl-C: ends every process of this run, and removes what it has mounted and written. */
function abandon(signal: NodeJS.Signals): void {
  // All have the folder in their environment, except PostgreSQL's, which work in it and write their titles over the environment.
  const isOurs = (pid: string): boolean => {
    try {
      const where = readlinkSync(`/proc/${pid}/cwd`) + readFileSync(`/proc/${pid}/environ`, 'utf8')
      return where.includes(folder) && Number(pid) !== process.pid
    } catch {
      return false
    }
  }
  const left = () => readdirSync('/proc').filter(pid => /^\d+$/.test(pid) && isOurs(pid))
  if (process.platform === 'linux') {
    for (let pids = left(); pids.length > 0; pids = left()) spawnSync('kill', ['-KILL', ...pids])
    for (const [, path = ''] of readFileSync('/proc/mounts', 'utf8').matchAll(/^\S+ (\S+)/gm))
      if (path.startsWith(folder)) spawnSync('umount', ['--lazy', path])
  }
  rmSync(folder, { recursive: true, force: true })
  say(`\nEnded by ${signal}.`)
  process.exit(130)
}
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, abandon)

const started = performance.now()
const files = testFiles()
const isPart = filters.length > 0 || named !== undefined
// The services under test serve this. If it fails, so does the run, because older pages are left behind.
const prepared = prepare().catch((error: Error) => {
  total.fail++
  say(error.message)
})
const postgres = await PostgresServer.create()
await prepared
const together = files.filter(file => !file.endsWith(ALONE))
const alone = files.filter(file => file.endsWith(ALONE))
const failedFiles = [
  ...(await runTests(together, SHARED, postgres.url())),
  ...(await runTests(alone, [], postgres.url())),
]
// The checks need the processor and the removal of its many files the disk, so neither slows down the other.
const removed = postgres.remove()
for (const { name, isGood, text } of isThorough || isPart ? [] : await runChecks()) {
  total[isGood ? 'pass' : 'fail']++
  if (!isGood) say(`\n✗ ${name}\n${text.trim()}`)
}
await removed
const missing = existsSync(missingList) ? readFileSync(missingList, 'utf8').trim().split('\n') : []
rmSync(folder, { recursive: true, force: true })

say('')
const order = bunFlags.filter(flag => flag.startsWith('--seed')).join()
const npm = `npm ${isThorough ? 'run test:thorough' : 'test'} --`
for (const file of new Set(failedFiles)) say(`To run it alone: ${[npm, file, order].join(' ').trim()}`)
if (order !== '') say(`To repeat this order: ${[npm, ...filters, order].join(' ')}`)
if (missing.length > 0)
  say(`Some tests were skipped, because these are missing: ${[...new Set(missing)].toSorted().join(', ')}`)
if (files.length === 0) say(`No test file has ${filters.join(' or ')} in its path.`)
if (total.pass + total.fail + total.skip === 0) total.fail++
say(`${Math.round((performance.now() - started) / 1000)} seconds`)
say(`${total.pass} passed, ${total.fail} failed, ${total.skip} skipped`)
const isCi = !['', '0', 'false'].includes(process.env.CI ?? '')
process.exit(total.fail === 0 && !(isCi && total.skip > 0) ? 0 : 1)
