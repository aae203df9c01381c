import { mkdtemp, rm } from 'node:fs/promises'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { PostgresServer } from '../../tests/support/postgres/server.ts'
import { TIME_LIMIT_MS } from '../../tests/support/time-limit.ts'
import { run, say } from '../command.ts'
import { type Count, countOf } from './report.ts'

/** How long each file takes: the slowest start first, so that none is left over at the end. */
const TIMINGS = join(import.meta.dir, 'timings.json')

export interface HowToRun {
  /** How many files are tested at a time; by default two per core, as most tests wait for processes. */
  readonly parallel?: number
  readonly variables?: Readonly<Record<string, string>>
  /** Records how long each file took. */
  readonly doesUpdateTimings?: boolean
}

/** Runs all tests, or those in files that match a filter. */
export async function runTests(
  filters: readonly string[],
  { parallel = Math.min(8, 2 * availableParallelism()), variables, doesUpdateTimings }: HowToRun = {},
): Promise<Count> {
  const folder = await mkdtemp(join(tmpdir(), 'petstore-tests-'))
  // Everything that the tests leave behind is in this folder too.
  const outside = process.env.TMPDIR
  process.env.TMPDIR = folder
  const theirs = process.env.PETSTORE_TEST_POSTGRES_URL
  const postgres = theirs ? undefined : await PostgresServer.create()
  try {
    const report = join(folder, 'junit.xml')
    const limits = [`--parallel=${parallel}`, `--timeout=${TIME_LIMIT_MS}`, '--no-orphans']
    const flags = [...limits, '--reporter=junit', `--timings=${TIMINGS}`]
    if (doesUpdateTimings) flags.push('--update-timings')
    const command = [process.execPath, 'test', ...flags, `--reporter-outfile=${report}`, ...filters]
    const code = await run(command, {
      ...variables,
      TMPDIR: folder,
      PETSTORE_TEST_POSTGRES_URL: postgres?.url() ?? theirs ?? '',
    })
    return countOf(code, await Bun.file(report).text())
  } catch (error) {
    say(`The tests left no report: ${error}`)
    return { passed: 0, failed: 1, skipped: 0, notRun: [] }
  } finally {
    await postgres?.crash()
    await rm(folder, { recursive: true })
    if (outside === undefined) delete process.env.TMPDIR
    else process.env.TMPDIR = outside
  }
}
