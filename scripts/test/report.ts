import { isNeed } from '../../tests/support/programs/list.ts'
import { remedy } from '../../tests/support/programs/preflight.ts'
import { needsIn } from '../../tests/support/programs/titles.ts'

export interface Count {
  readonly passed: number
  readonly failed: number
  readonly skipped: number
  /** Which tests did not run and why, one per line. */
  readonly notRun: readonly string[]
}

const TEST = /<testcase name="([^"]*)" classname="([^"]*)"[^>]*?(?:\/>|>\s*(<skipped)?)/g
/** Bun's name for a hook in the report: hooks of a skipped block are not tests. */
const HOOK = '(unnamed)'

/** Counts the results in Bun's JUnit report. */
export function countOf(exitCode: number, report: string): Count {
  const [summary = ''] = /<testsuites[^>]*>/.exec(report) ?? []
  const total = (name: string): number => Number(new RegExp(`\\s${name}="(\\d+)"`).exec(summary)?.[1] ?? 0)
  const tests = [...report.matchAll(TEST)].filter(([, name, , skipped]) => name !== HOOK || !skipped)
  const skippedTests = tests.filter(([, , , skipped]) => skipped)
  const skipped = skippedTests.length
  const failed = total('failures') + total('errors')
  const passed = tests.length - failed - skipped
  // Failures outside a test, such as while loading a file, show only in the exit code.
  const isBroken = failed === 0 && (exitCode !== 0 || passed + skipped === 0)
  return {
    passed,
    failed: isBroken ? 1 : failed,
    skipped,
    notRun: reasons(skippedTests.map(([, name = '', folder = '']) => `${name} ${folder}`)),
  }
}

/** A CI machine can install everything, so a skipped test there is a failure. */
export function isGood({ failed, skipped }: Pick<Count, 'failed' | 'skipped'>): boolean {
  const { CI = '' } = process.env
  return failed === 0 && (skipped === 0 || ['', '0', 'false'].includes(CI))
}

function reasons(titles: readonly string[]): string[] {
  const byNeed = new Map<string, number>()
  for (const title of titles)
    for (const need of needsIn(title) ?? ['']) byNeed.set(need, (byNeed.get(need) ?? 0) + 1)
  return [...byNeed].map(([need, count]) => {
    const tests = count === 1 ? '1 test' : `${count} tests`
    if (!isNeed(need)) return `not run: ${tests} skipped without a need`
    return `not run: ${tests} need${count === 1 ? 's' : ''} ${need}: ${remedy(need)}`
  })
}
