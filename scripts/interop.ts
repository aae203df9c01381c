import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { freshSqliteUrl } from '../tests/support/process.ts'
import { startProcess } from '../tests/support/service.ts'
import { prepare } from './build/prepare.ts'
import { argumentsOf, say } from './command.ts'
import { consume } from './interop/consumers.ts'
import { generate, generatePython } from './interop/generators.ts'
import { collection } from './interop/newman.ts'
import { mock, proxy } from './interop/prism.ts'
import { DESCRIPTION, Project, Steps } from './interop/tools.ts'

argumentsOf(
  `npm run interop

Tries generators, mocks, proxies and collections of others with openapi.json, and runtimes, compilers and test runners with the
client. All of them are installed into a temporary folder, so this needs the npm registry.`,
  {},
)

const KUBB_PARTS = ['cli', 'core', 'plugin-client', 'plugin-oas', 'plugin-ts', 'plugin-zod']
const PACKAGES = {
  '@apiture/openapi-down-convert': '0.14.2',
  '@hey-api/openapi-ts': '0.99.0',
  ...Object.fromEntries(KUBB_PARTS.map(part => [`@kubb/${part}`, '4.39.3'])),
  // The last one that brings its Java archive along: the later ones load it from Maven.
  '@openapitools/openapi-generator-cli': '1.0.18-5.0.0-beta2',
  '@stoplight/prism-cli': '5.16.0',
  '@types/node': '24.0.0',
  newman: '6.2.2',
  'openapi-fetch': '0.17.0',
  'openapi-to-postmanv2': '6.3.3',
  'openapi-typescript': '7.13.0',
  orval: '8.38.0',
  'swagger-typescript-api': '13.13.0',
  typescript: '5.9.3',
  zod: '4.6.7',
}
// Later ones, which orval would take, need a package that some mirrors of the registry lack.
const OVERRIDES = { '@scalar/openapi-parser': '0.29.8' }

async function size(): Promise<string> {
  const text = JSON.stringify(await Bun.file(DESCRIPTION).json())
  return `openapi.json has ${Buffer.byteLength(text)} bytes minified, ${gzipSync(text).length} compressed`
}

// Everything that this leaves behind is in this folder.
const folder = mkdtempSync(join(tmpdir(), 'petstore-interop-'))
process.env.TMPDIR = folder
const steps = new Steps()
const tools = new Project(join(folder, 'tools'))
await prepare()
const service = await startProcess({ databaseUrl: await freshSqliteUrl() })
const { url } = service
await steps.step('size', size)
await steps.step('install', () =>
  tools.install({ type: 'module', dependencies: PACKAGES, overrides: OVERRIDES }),
)
await steps.step('Postman and newman', () => collection(url, tools))
await steps.step('generators', () => generate(url, tools))
if (Bun.which('java') && Bun.which('python3'))
  await steps.step('openapi-generator for Python', () => generatePython(url, tools))
else say('- openapi-generator for Python: not tried without java and python3')
await steps.step('Prism as a mock', () => mock(tools))
await steps.step('Prism as a proxy', () => proxy(tools))
await consume(url, new Project(join(folder, 'consumers')), steps)
service.discard()
rmSync(folder, { recursive: true })
process.exit(steps.failures === 0 ? 0 : 1)
