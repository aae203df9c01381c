import { preflight } from '../../tests/support/programs/preflight.ts'
import { wantedBy } from '../../tests/support/programs/wanted.ts'
import { ROOT } from '../command.ts'
import { testFiles } from './files.ts'

/** `npm run test:setup`: installs what the tests and the benchmark need, without running them. */
const wanted = await wantedBy(ROOT, testFiles([]))
await preflight(new Map([...wanted, ['wrk', ['npm run bench']] as const]))
