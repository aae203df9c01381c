import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PostgresServer } from '../../tests/support/postgres.ts'
import { run, say } from '../command.ts'
import { type Count, countOf } from './report.ts'

export interface HowToRun {
  /** How many files are tested at a time. */
  readonly parallel: number
  readonly variables?: Readonly<Record<string, string>>
}

/** Runs the tests, all or those in files that match a filter. */
export async function runTests(
  filters: readonly string[],
  { parallel, variables }: HowToRun = { parallel: 3 },
): Promise<Count> {
  const folder = await mkdtemp(join(tmpdir(), 'petstore-tests-'))
  // Whatever the tests leave behind lies in this folder too.
  const outside = process.env.TMPDIR
  process.env.TMPDIR = folder
  const theirs = process.env.PETSTORE_TEST_POSTGRES_URL
  const postgres = theirs ? undefined : await PostgresServer.create()
  try {
    const report = join(folder, 'junit.xml')
    const flags = [`--parallel=${parallel}`, '--no-orphans', '--reporter=junit']
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
