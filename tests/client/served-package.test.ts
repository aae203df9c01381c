import { beforeAll, expect, test } from 'bun:test'
import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core'
import { publint } from 'publint'
import { sharedService } from '../support/service.ts'

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
