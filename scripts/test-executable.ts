import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { build } from './build.ts'
import { runTests } from './bun-tests.ts'
import { say } from './command.ts'

/** `npm run test:executable`: the whole contract, and all that starts the program, against the one-file program. */
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
]

const folder = await mkdtemp(join(tmpdir(), 'petstore-executable-'))
const binary = join(folder, 'petstore')
await build(binary)
process.env.PETSTORE_TEST_BINARY = binary
const { passed, failed } = await runTests(process.argv.length > 2 ? process.argv.slice(2) : SUITES)
await rm(folder, { recursive: true })
say(`${passed} passed, ${failed} failed`)
process.exit(failed === 0 ? 0 : 1)
