import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freshSqliteUrl } from '../tests/support/process.ts'
import { startProcess } from '../tests/support/service.ts'
import { prepare } from './build/prepare.ts'
import { argumentsOf } from './command.ts'
import { consume } from './interop/consumers.ts'
import { checkManifest, generate, mock } from './interop/documents.ts'
import { Project, step } from './interop/tools.ts'

argumentsOf(
  `npm run interop

Tries a generator and a mock of others with openapi.json, validators with deploy/kubernetes.yaml, and runtimes and compilers with the
client. All of them are installed into a temporary folder, so this needs the npm registry.`,
  {},
)

const PACKAGES = {
  '@stoplight/prism-cli': '5.16.0',
  'kubernetes-models': '4.5.1',
  'openapi-fetch': '0.17.0',
  'openapi-typescript': '7.13.0',
  // The generator loads it.
  typescript: '5.9.3',
}

// Everything that this leaves behind is in this folder.
const folder = mkdtempSync(join(tmpdir(), 'petstore-interop-'))
process.env.TMPDIR = folder
const tools = new Project(join(folder, 'tools'))
await prepare()
const service = await startProcess({ databaseUrl: await freshSqliteUrl() })
await step('install', () => tools.install({ type: 'module', dependencies: PACKAGES }))
await step('openapi-typescript', () => generate(service.url, tools))
await step('Prism', () => mock(tools))
await step('Kubernetes', () => checkManifest(tools))
await consume(service.url, new Project(join(folder, 'consumers')))
service.discard()
rmSync(folder, { recursive: true })
process.exit()
