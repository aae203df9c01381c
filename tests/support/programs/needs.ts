import * as runner from 'bun:test'
import type { Need } from './list.ts'
import { declare, isThere } from './program.ts'
import { needing } from './titles.ts'

type Body = () => void
type Define = (name: string, body: Body, timeoutMs?: number) => void
type Hook = (body: Body, timeoutMs?: number) => void

export interface Suite {
  readonly describe: Define & Pick<typeof runner.describe, 'each'>
  readonly test: Define &
    Pick<typeof runner.test, 'each'> & {
      readonly concurrent: Define & Pick<typeof runner.test, 'each'>
    }
  readonly beforeAll: Hook
  readonly afterAll: Hook
  readonly beforeEach: Hook
  readonly afterEach: Hook
}

/**
 * Replaces the imports of `bun:test` in a test file, and declares the programs and permissions that its tests need:
 *
 *     const { beforeAll, test } = needs('haproxy')
 *
 * If one is missing, the tests are skipped and the hooks do not run. The title of a skipped test names it, so that `npm test` can
 * count them.
 */
export function needs(...wanted: [Need, ...Need[]]): Suite {
  declare(wanted)
  const missing = wanted.filter(need => !isThere(need))
  if (missing.length === 0) return runner
  const note = needing(missing)
  const test = skipping(runner.test.skip, note)
  const ignore = () => {}
  return {
    describe: skipping(runner.describe.skip, note),
    test: Object.assign(test, { concurrent: test }),
    beforeAll: ignore,
    afterAll: ignore,
    beforeEach: ignore,
    afterEach: ignore,
  }
}

type Skip = typeof runner.describe.skip | typeof runner.test.skip
type Each = (table: readonly unknown[]) => (name: string, body: unknown) => void

function skipping<S extends Skip>(skip: S, note: string): Define & Pick<S, 'each'> {
  const define: Define = (name, body) => skip(name + note, body)
  const each: Each = table => {
    const defineEach = (skip as { each: Each }).each(table)
    return (name, body) => defineEach(name + note, body)
  }
  return Object.assign(define, { each: each as S['each'] })
}
