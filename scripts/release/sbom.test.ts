import { expect, test } from 'bun:test'
import { readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { needs } from '../../tests/support/programs/needs.ts'
import { freshFolder } from '../../tests/support/service/folder.ts'
import { ROOT } from '../command.ts'
import { makePackages } from './packages.ts'
import { type Bom, sbomOf } from './sbom.ts'

test('the bill of materials names what a release contains, exactly, and nothing else', async () => {
  const bom = await sbomOf('9.9.9')
  const { dependencies, devDependencies } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'))
  const refs = bom.components.map(each => each['bom-ref'])
  const wanted = Object.entries(dependencies).map(([name, version]) => `${name}@${version}`)
  expect(refs).toEqual(expect.arrayContaining(wanted))
  for (const name of Object.keys(devDependencies))
    expect(bom.components.map(each => each.name)).not.toContain(name)

  expect(bom).toMatchObject({ bomFormat: 'CycloneDX', specVersion: expect.stringMatching(/^1\.[5-9]$/) })
  expect(bom.metadata.component).toMatchObject({ name: 'petstore', version: '9.9.9', type: 'application' })
  for (const component of bom.components) {
    expect(component.purl).toStartWith('pkg:npm/')
    expect([component.name, component.hashes]).toEqual([
      component.name,
      expect.arrayContaining([expect.anything()]),
    ])
  }
  for (const { ref, dependsOn } of bom.dependencies)
    expect(['petstore@9.9.9', ...refs]).toEqual(expect.arrayContaining([ref, ...dependsOn]))
  const text = JSON.stringify(bom).replace('http://cyclonedx.org/schema/', '')
  expect(text).not.toMatch(/https?:|file:/)
  expect(text.replaceAll('"petstore"', '')).not.toContain(`"${basename(ROOT)}"`)
})

needs('git').test('a release brings it, with its checksum', async () => {
  const folder = join(await freshFolder(), 'release')
  await makePackages(folder, '9.9.9', [])
  const name = 'petstore-9.9.9.cdx.json'
  expect(readdirSync(folder)).toContain(name)
  const bytes = readFileSync(join(folder, name))
  expect((JSON.parse(bytes.toString()) as Bom).metadata.component.version).toBe('9.9.9')
  const hash = new Bun.CryptoHasher('sha256').update(bytes).digest('hex')
  expect(readFileSync(join(folder, 'SHA256SUMS'), 'utf8')).toContain(`${hash}  ${name}\n`)
})
