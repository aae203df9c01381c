import { createInterface } from 'node:readline'
import { inspect } from 'node:util'
import { ALL_SCENARIOS } from '../../client/scenarios/index.ts'
import type { World } from '../../client/scenarios/world.ts'

/** Started on each runtime next to the installed package: reads the name of a scenario and reports the outcome. */
const [baseUrl = '', apiKey = ''] = process.argv.slice(2)
const runtime = process.versions.bun ? 'Bun' : 'Node'
const packageName = '@petstore/client'
const world: World = { client: await import(packageName), baseUrl, apiKey }

for await (const name of createInterface({ input: process.stdin })) {
  const problem = await problemOf(name)
  process.stdout.write(`${JSON.stringify({ runtime, problem })}\n`)
}

async function problemOf(name: string): Promise<string | undefined> {
  try {
    await ALL_SCENARIOS[name]?.(world)
    return undefined
  } catch (error) {
    return inspect(error)
  }
}
