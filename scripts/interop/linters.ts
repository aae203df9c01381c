import { join } from 'node:path'
import { HERE, tool } from './tool.ts'

/** Accepted findings; docs/reference/security-scans.md gives the reasons. */
const ANSWERED: Readonly<Record<string, readonly string[]>> = {
  // Error is part of the interface; each answer spells out the Error that it can be.
  'spectral:oas': ['oas3-unused-component'],
  '@stoplight/spectral-owasp-ruleset': [
    'owasp:api1:2023-no-numeric-ids',
    'owasp:api4:2023-integer-format',
    'owasp:api4:2023-integer-limit',
    'owasp:api4:2023-integer-limit-legacy',
    'owasp:api4:2023-string-limit',
    'owasp:api4:2023-string-restricted',
    'owasp:api8:2023-define-cors-origin',
    'owasp:api8:2023-no-server-http',
    'owasp:api9:2023-inventory-access',
  ],
}

export const RULESETS = Object.keys(ANSWERED)

/** How often each rule was violated. */
export async function lint(ruleset: string, description: string): Promise<Map<string, number>> {
  const rules = join(HERE, 'generated/ruleset.json')
  await Bun.write(rules, JSON.stringify({ extends: [ruleset] }))
  const { text } = await tool(
    'spectral',
    'lint',
    description,
    '--ruleset',
    rules,
    '--format',
    'json',
    '--quiet',
  )
  const findings = JSON.parse(text) as readonly { readonly code: string }[]
  return new Map([...Map.groupBy(findings, ({ code }) => code)].map(([code, all]) => [code, all.length]))
}

export const isAnswered = (ruleset: string, rule: string): boolean =>
  ANSWERED[ruleset]?.includes(rule) ?? false
