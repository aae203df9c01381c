import * as runner from 'bun:test'
import { spawnSync } from 'node:child_process'
import { appendFileSync } from 'node:fs'
import { find, isRoot } from './program.ts'

export type Suite = Pick<
  typeof runner,
  'describe' | 'test' | 'beforeAll' | 'afterAll' | 'beforeEach' | 'afterEach'
>

/**
 * The functions of `bun:test` for tests that need these programs, `root`, or the right to mount file systems:
 *
 *     const { beforeAll, test } = needs('haproxy')
 *
 * If one is missing, the tests are skipped, the hooks do not run, and `npm run test:thorough` names it.
 */
export function needs(...wanted: readonly string[]): Suite {
  const missing = wanted.filter(need => !isThere(need))
  if (missing.length === 0) return runner
  const { PETSTORE_TEST_MISSING: list } = process.env
  if (list) appendFileSync(list, missing.map(need => `${need}\n`).join(''))
  const ignore = () => {}
  return {
    describe: runner.describe.skip,
    test: runner.test.skip,
    beforeAll: ignore,
    afterAll: ignore,
    beforeEach: ignore,
    afterEach: ignore,
  }
}

function isThere(need: string): boolean {
  if (need === 'root') return isRoot
  // Root in a container may not be allowed to mount. The mount namespace leaves nothing behind.
  const attempt = ['--mount', 'mount', '-t', 'tmpfs', 'tmpfs', '/mnt']
  if (need === 'mounting') return isRoot && spawnSync('unshare', attempt, { stdio: 'ignore' }).status === 0
  return find(need) !== undefined
}
