import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import { freshSqliteUrl } from '../support/folder.ts'
import { type PackedClient, packClient } from '../support/packed-client.ts'
import { API_KEY, type Service, startService } from '../support/service.ts'
import { bundleScenarios, Runtime } from './runtime.ts'
import { SCENARIOS } from './scenarios/index.ts'

const MAX_BYTES = 4 * 1024
const MANY = 10_000

let client: PackedClient
let service: Service
let script: string

beforeAll(async () => {
  service = await startService({ databaseUrl: await freshSqliteUrl() })
  ;[client] = await Promise.all([packClient(), addManyPending(service)])
  script = await bundleScenarios(client.folder)
})

afterAll(() => service.stop())

async function addManyPending({ url }: Service): Promise<void> {
  let next = 0
  const add = async () => {
    while (next < MANY) {
      const { status } = await fetch(`${url}/v1/pets`, {
        method: 'POST',
        headers: { Authorization: `Bearer ${API_KEY}`, 'Content-Type': 'application/json' },
        body: `{"name":"${next++}","categoryId":1,"status":"pending"}`,
      })
      if (status !== 201) throw new Error(`An animal was answered with ${status}.`)
    }
  }
  await Promise.all(Array.from({ length: 64 }, add))
}

describe.each([
  ['Bun', process.execPath],
  ['Node', 'node'],
])('the packed client on %s', (_name, command) => {
  let runtime: Runtime

  beforeAll(() => {
    runtime = new Runtime(command, script, `${service.url}/v1`, API_KEY)
  })

  afterAll(() => runtime.end())

  test.each(Object.keys(SCENARIOS))('%s', name => runtime.run(name))
})

describe('the package', () => {
  test('holds the bundle, its declarations and what a reader needs, and nothing else', () => {
    const declarations = client.files.filter(file => file.endsWith('.d.ts'))
    expect(client.files.filter(file => !file.endsWith('.d.ts'))).toEqual([
      'CHANGELOG.md',
      'LICENSE',
      'README.md',
      'dist/index.js',
      'package.json',
    ])
    expect(declarations.every(file => file.startsWith('dist/'))).toBe(true)
    expect(declarations).toContain('dist/index.d.ts')
  })

  test('is at most 4 KB, minified and gzipped', async () => {
    const bundle = await Bun.file(join(installed(), 'dist/index.js')).bytes()
    expect(Bun.gzipSync(bundle, { level: 9 }).length).toBeLessThanOrEqual(MAX_BYTES)
  })

  test('depends on nothing', async () => {
    const { dependencies, peerDependencies } = await Bun.file(join(installed(), 'package.json')).json()
    expect([dependencies, peerDependencies]).toEqual([undefined, undefined])
    expect(await Bun.file(join(installed(), 'dist/index.js')).text()).not.toMatch(/\bfrom\s*["']|\bimport\b/)
  })
})

const installed = (): string => join(client.folder, 'node_modules/@petstore/client')
