import { inspect } from 'node:util'
import { ALL_SCENARIOS } from '../../client/scenarios/index.ts'

/** Started on each runtime next to the installed package: runs every scenario and prints its outcome. */
const [baseUrl = '', apiKey = ''] = process.argv.slice(2)
const packageName = '@petstore/client'
const world = { client: await import(packageName), baseUrl, apiKey }
const outcomes: Record<string, string> = { runtime: process.versions.bun ? 'Bun' : 'Node' }
for (const [name, scenario] of Object.entries(ALL_SCENARIOS))
  outcomes[name] = await scenario(world).then(() => 'held', inspect)
const isKept = Object.keys(ALL_SCENARIOS).every(name => outcomes[name] === 'held')
process.stdout.write(JSON.stringify(outcomes), () => process.exit(isKept ? 0 : 1))
