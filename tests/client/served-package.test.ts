import { beforeAll, expect, test } from 'bun:test'
import { cpSync, mkdirSync, symlinkSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core'
import { publint } from 'publint'
import { dependencies } from '../../package.json'
import { freshFolder, freshSqliteUrl } from '../support/process.ts'
import { sharedService, startProcess } from '../support/service.ts'

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

/** A service in a copy of this project that has only what production needs, and none of what is built. */
async function startInstalled() {
  const root = join(import.meta.dir, '../..')
  const folder = await freshFolder()
  for (const name of ['src', 'web', 'client', 'package.json', 'tsconfig.json'])
    cpSync(join(root, name), join(folder, name), { recursive: true })
  for (const name of Object.keys(dependencies).map(dependency => join('node_modules', dependency))) {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    symlinkSync(join(root, name), join(folder, name))
  }
  const main = join(folder, 'src/main.ts')
  return { folder, service: await startProcess({ databaseUrl: await freshSqliteUrl(), main }) }
}

test('no request builds anything: what was not built is a 404 that says how, and is served once it is built', async () => {
  const { folder, service } = await startInstalled()
  const get = (path: string) => fetch(`${service.url}/${path}`)
  const message = 'This was not built when the service was installed. To build it, run: npm ci'
  for (const path of ['', 'docs', 'client.tgz'])
    expect(await (await get(path)).json()).toEqual({ code: 'route_not_found', message, status: 404 })

  const add = (file: string) => cpSync(join(import.meta.dir, '../..', file), join(folder, file))
  add('dist/pages.json')
  expect((await get('')).status).toBe(200)
  expect(await (await get('docs')).text()).not.toContain('client.tgz')
  add('dist/client.tgz')
  expect(Bun.hash(await (await get('client.tgz')).arrayBuffer())).toBe(Bun.hash(tarball))
  service.discard()
})
