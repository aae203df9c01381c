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

test('a checkout without development dependencies says that it cannot build the client', async () => {
  const root = join(import.meta.dir, '../..')
  const folder = await freshFolder()
  for (const name of ['src', 'client', 'package.json', 'tsconfig.json'])
    cpSync(join(root, name), join(folder, name), { recursive: true })
  for (const name of Object.keys(dependencies).map(dependency => join('node_modules', dependency))) {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    symlinkSync(join(root, name), join(folder, name))
  }
  const main = join(folder, 'src/main.ts')
  const service = await startProcess({ databaseUrl: await freshSqliteUrl(), main })
  const answer = await fetch(`${service.url}/client.tgz`)
  expect(answer.status).toBe(404)
  const message = 'This service cannot build the client without its development dependencies. Run: npm ci'
  expect(await answer.json()).toEqual({ code: 'route_not_found', message, status: 404 })
  service.discard()
})
