import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { preflight } from '../../tests/support/programs/preflight.ts'
import { wantedBy } from '../../tests/support/programs/wanted.ts'
import { build } from '../build/build.ts'
import { ROOT, say } from '../command.ts'
import { runTests } from './bun-tests.ts'
import { testFiles } from './files.ts'
import { isGood } from './report.ts'

/** `npm run test:executable`: runs the whole contract, and every test that starts the program, against the executable. */
const SUITES = [
  'tests/contract/',
  'tests/lifecycle/',
  'tests/cli/',
  'tests/properties/',
  'tests/operate/',
  'tests/metrics/',
  'tests/deprecations/',
  'tests/transfer/',
  'tests/copy/',
  // Pages and their parts are bundled at compile time: one test checks those that are loaded later, another each of them.
  'tests/browser/served',
  'tests/browser/reference',
  'tests/browser/working/',
]

const given = process.argv.slice(2).filter(arg => !arg.startsWith('--'))
const filters = given.length > 0 ? given : SUITES
await preflight(await wantedBy(ROOT, testFiles(filters)))
const folder = await mkdtemp(join(tmpdir(), 'petstore-executable-'))
const binary = join(folder, 'petstore')
await build(binary)
process.env.PETSTORE_TEST_BINARY = binary
const { notRun, ...count } = await runTests(filters)
await rm(folder, { recursive: true })
say([...notRun, `${count.passed} passed, ${count.failed} failed, ${count.skipped} skipped`].join('\n'))
process.exit(isGood(count) ? 0 : 1)
