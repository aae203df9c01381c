import { join } from 'node:path'
import { capture, ROOT, run, say } from '../command.ts'

export interface Check {
  readonly name: string
  readonly passes: () => Promise<boolean>
}

/** What must hold of the sources before any test runs. */
export const CHECKS: readonly Check[] = [
  { name: 'format and lint', passes: async () => (await run(['biome', 'check', '.'])) === 0 },
  { name: 'types', passes: async () => (await run(['tsc', '--noEmit'])) === 0 },
  {
    name: 'types of the pages',
    passes: async () => (await run(['tsc', '--noEmit', '-p', 'src/console'])) === 0,
  },
  { name: 'import direction and cycles', passes: async () => (await run(['depcruise', 'src'])) === 0 },
  { name: 'openapi.json in step with the contract', passes: isDescriptionInStep },
  { name: 'openapi.json clean by the recommended rules', passes: isDescriptionClean },
]

async function isDescriptionInStep(): Promise<boolean> {
  const { code, text } = await capture(process.execPath, 'src/main.ts', 'openapi')
  if (code === 0 && text === (await Bun.file(join(ROOT, 'openapi.json')).text())) return true
  say('openapi.json is not what the contract generates. Run: npm run openapi')
  return false
}

interface LintReport {
  readonly totals: { readonly errors: number; readonly warnings: number }
  readonly problems: readonly {
    readonly severity: string
    readonly ruleId: string
    readonly message: string
    readonly location: readonly { readonly pointer?: string }[]
  }[]
}

/** By its report, since Redocly ends with 0 in spite of warnings. */
async function isDescriptionClean(): Promise<boolean> {
  const { code, text } = await capture('redocly', 'lint', '--format=json')
  const { totals, problems } = JSON.parse(text) as LintReport
  for (const { severity, ruleId, message, location } of problems)
    say(`${severity} ${ruleId}: ${message} at ${location[0]?.pointer ?? '?'}`)
  say(`${totals.errors} errors, ${totals.warnings} warnings`)
  return code === 0 && totals.errors === 0 && totals.warnings === 0
}
