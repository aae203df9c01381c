import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import { OPERATIONS } from '../../src/contract/operations.ts'
import { type PackedClient, packClient } from '../support/project/packed-client.ts'
import { freshSqliteUrl } from '../support/service/folder.ts'
import { API_KEY, type Service, startService } from '../support/service/service.ts'
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
])('the packed client on %s', (name, command) => {
  let runtime: Runtime

  beforeAll(() => {
    runtime = new Runtime(name, command, script, `${service.url}/v1`, API_KEY)
  })

  afterAll(() => runtime.end())

  test.each(Object.keys(SCENARIOS))('%s', scenario => runtime.run(scenario))
})

describe('the package', () => {
  test('holds the bundle, its declarations and what a reader needs, and nothing else', () => {
    expect(client.files).toEqual([
      'CHANGELOG.md',
      'LICENSE',
      'README.md',
      'dist/contract.generated.d.ts',
      'dist/errors.d.ts',
      'dist/index.d.ts',
      'dist/index.js',
      'dist/options.d.ts',
      'dist/pet-list.d.ts',
      'dist/pets.d.ts',
      'dist/petstore.d.ts',
      'dist/transport.d.ts',
      'package.json',
    ])
  })

  test('is at most 4 KB, minified and gzipped', async () => {
    const bundle = await Bun.file(join(installed(), 'dist/index.js')).bytes()
    expect(Bun.gzipSync(bundle, { level: 9 }).length).toBeLessThanOrEqual(MAX_BYTES)
  })

  test.each(['nodenext', 'bundler'])(
    'gives its types to a strict project, resolved by %s',
    async resolution => {
      await Bun.write(join(client.folder, 'uses-types.ts'), USES_TYPES)
      const module = resolution === 'bundler' ? 'preserve' : resolution
      const flags = ['--noEmit', '--strict', '--target', 'es2022', '--lib', 'es2022,dom']
      const resolved = ['--module', module, '--moduleResolution', resolution]
      const child = Bun.spawn([TSC, ...flags, ...resolved, 'uses-types.ts'], { cwd: client.folder })
      expect(await child.stdout.text()).toBe('')
      expect(await child.exited).toBe(0)
    },
  )

  test('marks get as deprecated, with the dates and the replacement of the contract', async () => {
    const declared = await Bun.file(join(installed(), 'dist/pets.d.ts')).text()
    const { since, sunset, replacement } = OPERATIONS.getPet.deprecated
    const [, note = ''] = /@deprecated([^/]*?\/pets[^/]*)\*\/\s*get\(/.exec(declared) ?? []
    for (const date of [since, sunset]) expect(note).toContain(date.toISOString().slice(0, 10))
    expect(note.replaceAll(/\s+\*?\s*/g, ' ')).toContain(replacement)
  })

  test('depends on nothing', async () => {
    const { dependencies, peerDependencies } = await Bun.file(join(installed(), 'package.json')).json()
    expect([dependencies, peerDependencies]).toEqual([undefined, undefined])
    expect(await Bun.file(join(installed(), 'dist/index.js')).text()).not.toMatch(/\bfrom\s*["']|\bimport\b/)
  })
})

/** A switch over the codes is exhaustive, and an identifier cannot be taken for a plain number. */
const USES_TYPES = `
import { NotFoundError, type Pet, Petstore, PetstoreError } from '@petstore/client'
const store = new Petstore({ apiKey: 'key', baseUrl: 'http://127.0.0.1/v1' })
const page = await store.pets.list({ status: 'sold', limit: 1 })
for await (const pet of store.pets.list()) {
  const id: number | bigint = pet.id
  // @ts-expect-error: an identifier may be a bigint.
  const rounded: number = pet.id
  console.log(id, rounded)
}
const found: Pet | undefined = page.items[0]
// @ts-expect-error: there is no such status.
store.pets.create({ name: 'Rex', categoryId: 7, status: 'gone' })
export function isNotFound(error: unknown): boolean {
  if (error instanceof NotFoundError) {
    const code: 'pet_not_found' | 'route_not_found' = error.code
    return code === 'pet_not_found'
  }
  // @ts-expect-error: there is no such code.
  return error instanceof PetstoreError && error.code === 'no_such_code'
}
console.log(found)
`

const TSC = join(import.meta.dir, '../../node_modules/.bin/tsc')

const installed = (): string => join(client.folder, 'node_modules/@petstore/client')
