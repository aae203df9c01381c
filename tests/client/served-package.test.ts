import { beforeAll, expect, mock, test } from 'bun:test'
import { cpSync, mkdirSync, symlinkSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core'
import { publint } from 'publint'
import { dependencies } from '../../package.json'
import type * as built from '../../src/pages/built.ts'
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

test('without pages, the log says once how to build them, and the API works; after a restart they are served', async () => {
  const folder = await installed()
  const main = join(folder, 'src/main.ts')
  const start = { databaseUrl: await freshSqliteUrl(), main, variables: { PETSTORE_THREADS: '2' } }
  const without = await startProcess(start)
  const said = without.output.log.filter(({ event }) => event === 'pages-not-built')
  expect(said).toMatchObject([{ level: 'warn', reason: expect.stringContaining('does not exist (ENOENT)') }])
  expect(said[0]?.hint).toEndWith('Build them, then restart: npm run prepare')
  for (const path of PAGES) {
    const { text } = await without.fetch(path, { key: null })
    expect(JSON.parse(text)).toEqual({ code: 'route_not_found', message: MESSAGE, status: 404 })
  }
  expect((await without.fetch('/openapi.json', { key: null })).status).toBe(200)
  expect((await without.post(petJson({}))).status).toBe(201)
  await without.stop()
  cpSync(join(ROOT, 'dist'), join(folder, 'dist'), { recursive: true })
  using service = await startProcess(start)
  for (const path of PAGES) expect((await service.fetch(path, { key: null })).status).toBe(200)
  expect(service.output.log.filter(({ event }) => event === 'pages-not-built')).toEqual([])
})

test.each([
  ['{"documents": {', 'JSON'],
  ['{"documents": {}}', 'was built by another release'],
])('a file of pages with %s is as good as none, and the log says why', async (text, reason) => {
  const folder = await freshFolder()
  cpSync(join(ROOT, 'src'), join(folder, 'src'), { recursive: true })
  await Bun.write(join(folder, 'dist/pages.json'), text)
  const { readBuilt } = (await import(join(folder, 'src/pages/built.ts'))) as typeof built
  const observe = mock()
  expect(readBuilt(observe)).toEqual({ pages: undefined, client: undefined })
  const event = { kind: 'pages-not-built', reason: expect.stringContaining(reason) }
  expect(observe.mock.calls).toEqual([[expect.objectContaining(event)]])
})
