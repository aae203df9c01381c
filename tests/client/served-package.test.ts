import { beforeAll, expect, test } from 'bun:test'
import { cpSync, mkdirSync, symlinkSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core'
import { publint } from 'publint'
import { dependencies } from '../../package.json'
import { petJson } from '../support/http.ts'
import { freshFolder, freshSqliteUrl } from '../support/process.ts'
import { sharedService, startProcess } from '../support/service.ts'

const ROOT = join(import.meta.dir, '../..')
const service = sharedService()
let tarball: ArrayBuffer
beforeAll(async () => {
  tarball = await (await fetch(`${service().url}/client.tgz`)).arrayBuffer()
})

test('every way to import the served client finds its code and its types', async () => {
  const checked = await checkPackage(createPackageFromTarballData(new Uint8Array(tarball)))
  expect(checked).toMatchObject({ types: { kind: 'included' }, problems: [] })
})

test('publint has nothing to say about the served client', async () => {
  expect((await publint({ pack: { tarball }, strict: true })).messages).toEqual([])
})

/** A copy of this project that has only what production needs, and none of what is built. */
async function installed() {
  const folder = await freshFolder()
  for (const name of ['src', 'openapi.json', 'package.json', 'tsconfig.json', 'client'])
    cpSync(join(ROOT, name), join(folder, name), { recursive: true })
  for (const name of Object.keys(dependencies).map(dependency => join('node_modules', dependency))) {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    symlinkSync(join(ROOT, name), join(folder, name))
  }
  return folder
}

const PAGES = ['/', '/docs', '/client.tgz']
const MESSAGE =
  'This was not built when the service was installed. To build it, run npm ci, then restart the service.'

/** What is in the file of pages, and what the log says about it. */
const UNREADABLE: readonly (readonly [text: string | undefined, reason: string])[] = [
  [undefined, 'does not exist (ENOENT)'],
  ['{"documents": {', 'JSON'],
  ['{"console": {}}', 'was built by another release'],
]

test('without pages that can be read, the log says once how to build them, and the API works; after a restart they are served', async () => {
  const folder = await installed()
  const main = join(folder, 'src/main.ts')
  const start = { databaseUrl: await freshSqliteUrl(), main, variables: { PETSTORE_THREADS: '2' } }
  for (const [text, reason] of UNREADABLE) {
    if (text !== undefined) await Bun.write(join(folder, 'dist/pages.json'), text)
    const service = await startProcess(start)
    const said = service.output.log.filter(({ event }) => event === 'pages-not-built')
    expect(said).toMatchObject([{ level: 'warn', reason: expect.stringContaining(reason) }])
    expect(said[0]?.hint).toEndWith('Build them, then restart: npm run prepare')
    for (const path of PAGES) {
      const { text } = await service.fetch(path, { key: null })
      expect(JSON.parse(text)).toEqual({ code: 'route_not_found', message: MESSAGE, status: 404 })
    }
    expect((await service.fetch('/openapi.json', { key: null })).status).toBe(200)
    expect((await service.post(petJson({}))).status).toBe(201)
    await service.stop()
  }
  cpSync(join(ROOT, 'dist'), join(folder, 'dist'), { recursive: true })
  using service = await startProcess(start)
  for (const path of PAGES) expect((await service.fetch(path, { key: null })).status).toBe(200)
  expect(service.output.log.filter(({ event }) => event === 'pages-not-built')).toEqual([])
})
