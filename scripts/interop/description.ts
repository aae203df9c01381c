import { join } from 'node:path'
import { API_KEY } from '../../tests/support/service/service.ts'
import { GENERATORS } from './generators.ts'
import { isAnswered, lint, RULESETS } from './linters.ts'
import type { Step } from './step.ts'
import { capture, runTool } from './tool.ts'

/** Runs every linter and every generator on one description. */
export async function tryDescription(
  version: string,
  description: string,
  baseUrl: string,
  step: Step,
): Promise<void> {
  for (const ruleset of RULESETS)
    await step(`${ruleset} on ${version}`, async () => {
      const found = await lint(ruleset, description)
      const open = [...found.keys()].filter(rule => !isAnswered(ruleset, rule))
      if (open.length > 0) throw new Error(`without an answer: ${open.join(', ')}`)
      return [...found].map(([rule, count]) => `${rule} ${count}×`).join(', ') || 'nothing found'
    })
  for (const { name, generate } of GENERATORS)
    await step(`${name} on ${version}`, async () => {
      await generate(description, baseUrl)
      return 'generates'
    })
  await step(`all four on ${version}`, async () => {
    await runTool('tsc', '--noEmit', '--project', 'uses')
    return 'type-check with strict'
  })
  for (const { name, use } of GENERATORS)
    await step(`${name} on ${version}`, async () => {
      const variables = { PETSTORE_BASE_URL: baseUrl, PETSTORE_API_KEY: API_KEY }
      const { code, text } = await capture([process.execPath, join('uses', use)], variables)
      if (code !== 0) throw new Error(text)
      return 'lists, adds, gets, and knows the code of a refusal'
    })
}
