import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { say } from './command.ts'
import { generate, generatePython } from './interop/generators.ts'
import { collection } from './interop/newman.ts'
import { mock, proxyContractSuite } from './interop/prism.ts'
import { DESCRIPTION, Tools } from './interop/tools.ts'
import { serve } from './serve.ts'

const KUBB_PARTS = ['cli', 'core', 'plugin-client', 'plugin-oas', 'plugin-ts', 'plugin-zod']

/**
 * `npm run interop`: generators, mocks, proxies and collections of others, held against openapi.json and a real service. They are
 * installed into a temporary folder by exact version, so this needs the npm registry.
 */
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

const tools = new Tools(mkdtempSync(join(tmpdir(), 'petstore-interop-')))
let failures = 0

async function step(name: string, work: () => Promise<string>): Promise<void> {
  try {
    say(`✓ ${name}: ${await work()}`)
  } catch (error) {
    failures++
    say(`✗ ${name}: ${error instanceof Error ? error.message : error}`)
  }
}

async function size(): Promise<string> {
  const text = JSON.stringify(await Bun.file(DESCRIPTION).json())
  return `openapi.json has ${Buffer.byteLength(text)} bytes minified, ${gzipSync(text).length} compressed`
}

// Later ones, which orval would take, need a package that some mirrors of the registry lack.
const overrides = { '@scalar/openapi-parser': '0.29.8' }
const manifest = { type: 'module', dependencies: PACKAGES, overrides }
await Bun.write(join(tools.folder, 'package.json'), JSON.stringify(manifest))
await tools.run('npm', 'install', '--ignore-scripts', '--no-audit', '--no-fund')
await step('size', size)
const service = await serve()
await step('Postman and newman', () => collection(service, tools))
await step('generators', () => generate(service, tools))
if (Bun.which('java') && Bun.which('python3'))
  await step('openapi-generator for Python', () => generatePython(service, tools))
else say('- openapi-generator for Python: not tried without java and python3')
await service.stop()
await step('Prism as a mock', () => mock(tools))
await step('Prism as a proxy', () => proxyContractSuite(tools))
rmSync(tools.folder, { recursive: true })
process.exit(failures === 0 ? 0 : 1)
