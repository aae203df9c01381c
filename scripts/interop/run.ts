import { existsSync } from 'node:fs'
import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { ReferenceSamples } from '../../tests/docs/reference-samples.ts'
import { preflightOf } from '../../tests/support/programs/preflight.ts'
import { program } from '../../tests/support/programs/program.ts'
import { freshSqliteUrl } from '../../tests/support/service/folder.ts'
import { API_KEY, startService } from '../../tests/support/service/service.ts'
import { ROOT, say } from '../command.ts'
import { GENERATORS } from './generators.ts'
import { isAnswered, lint, RULESETS } from './linters.ts'
import { capture, HERE, runTool } from './tool.ts'

/** `npm run interop`: generators and linters that others wrote, held against the description and a real service. */
if (!existsSync(join(HERE, 'node_modules'))) {
  say('Its tools are not installed: run `npm ci --ignore-scripts --prefix scripts/interop`.')
  process.exit(1)
}
await preflightOf('npm run interop', 'go')
await rm(join(HERE, 'generated'), { recursive: true, force: true })
await mkdir(join(HERE, 'generated'))

const service = await startService({ databaseUrl: await freshSqliteUrl() })
const baseUrl = `${service.url}/v1`
const descriptions = { '3.1': join(ROOT, 'openapi.json'), '3.0': join(HERE, 'generated/openapi-3.0.json') }
await Bun.write(descriptions['3.0'], await fetch(`${service.url}/openapi-3.0.json`))

let failures = 0
async function step(name: string, work: () => Promise<string>): Promise<void> {
  try {
    say(`✓ ${name}: ${await work()}`)
  } catch (error) {
    failures++
    say(`✗ ${name}: ${error instanceof Error ? error.message : error}`)
  }
}

for (const [version, description] of Object.entries(descriptions)) {
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

await step('the samples of the reference in Go', async () => {
  const samples = await ReferenceSamples.of(service)
  await samples.run('go', 'main.go', path => [program('go'), 'run', path])
  return 'run as they are copied'
})

if ((await service.stop()) !== 0 || failures > 0) process.exit(1)
