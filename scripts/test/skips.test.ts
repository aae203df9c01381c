import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { freshFolder } from '../../tests/support/service/folder.ts'
import { countOf, isGood } from './report.ts'

const PROGRAMS = join(import.meta.dir, '../../tests/support/programs')
/** Hides and shows programs, regardless of what this machine has. */
const HIDING = `Bun.which = name => (name === 'git' ? '/usr/bin/git' : null)`

/** Runs a test file with Bun as npm test does, on a machine without caddy and wrk. */
async function run(source: string) {
  const folder = await freshFolder()
  await Bun.write(join(folder, 'hiding.ts'), HIDING)
  await Bun.write(
    join(folder, 'a.test.ts'),
    `import { expect, test } from 'bun:test'\nimport { needs } from '${PROGRAMS}/needs.ts'\nimport { program } from '${PROGRAMS}/program.ts'\n${source}`,
  )
  const report = join(folder, 'junit.xml')
  const flags = [
    '--parallel=2',
    '--preload',
    './hiding.ts',
    '--reporter=junit',
    `--reporter-outfile=${report}`,
  ]
  const child = Bun.spawn([process.execPath, 'test', ...flags, './a.test.ts'], {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const [said, code] = await Promise.all([child.stderr.text(), child.exited])
  return { said, count: countOf(code, await Bun.file(report).text()) }
}

test('a test whose program is missing is not run, nor are its hooks, and is counted by what it needs', async () => {
  const { said, count } = await run(`
    const { afterAll, beforeAll, beforeEach, describe, test: one } = needs('caddy', 'wrk')
    const fail = () => { throw new Error('this must not run') }
    beforeAll(fail)
    beforeEach(fail)
    afterAll(fail)
    one('a "quoted" <title>', fail)
    one.each([[1], [2]])('number %d', fail)
    describe('a block', () => {
      beforeAll(fail)
      test('inside', fail)
      describe('deeper', () => test('inside', fail))
    })
    needs('caddy').describe.each([['x']])('block %s', () => void test('inside', fail))
    test('one that needs nothing', () => expect(1).toBe(1))
    needs('git').test('one that needs what is there', () => expect(program('git')).toContain('git'))
  `)
  expect({ said, ...count }).toMatchObject({ passed: 2, failed: 0, skipped: 6 })
  expect(count.notRun).toEqual([
    expect.stringMatching(/^not run: 6 tests need caddy: (sudo )?npm run test:setup$/),
    expect.stringMatching(/^not run: 5 tests need wrk: (sudo )?npm run test:setup$/),
  ])
})

test('a test that runs a program without saying so fails with a sentence, though the program is there', async () => {
  const { said, count } = await run(`test('forgets', () => { program('git') })`)
  expect(count).toMatchObject({ passed: 0, failed: 1, skipped: 0 })
  expect(said).toContain("a.test.ts runs git and does not say so: const { test } = needs('git')")
})

test('a test that is skipped for no need is counted as skipped, with a line of its own', async () => {
  const { count } = await run(`test('good', () => {})\ntest.skip('later', () => {})`)
  expect(count).toEqual({
    passed: 1,
    failed: 0,
    skipped: 1,
    notRun: ['not run: 1 test skipped without a need'],
  })
})

test.each([
  ['true', false],
  ['1', false],
  ['false', true],
  ['', true],
])('with CI=%s a run with a skipped test is good: %p', (CI, isGoodThere) => {
  const before = process.env.CI
  process.env.CI = CI
  expect(isGood({ failed: 0, skipped: 1 })).toBe(isGoodThere)
  expect(isGood({ failed: 0, skipped: 0 })).toBe(true)
  expect(isGood({ failed: 1, skipped: 0 })).toBe(false)
  process.env.CI = before ?? ''
})
