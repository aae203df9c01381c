import { describe, expect, test } from 'bun:test'
import { copyFileSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { petJson } from '../../support/http.ts'
import { freshSqliteUrl } from '../../support/process.ts'
import { makeStore, type ServiceProcess, startProcess } from '../../support/service.ts'
import { Caller } from './support/disk.ts'
import { pathOf } from './support/stored.ts'

const ANIMALS = 300

/** A service on a database of several pages, all of them in the file and none in the log. */
async function serviceWithAnimals(): Promise<{ service: ServiceProcess; path: string }> {
  const databaseUrl = await freshSqliteUrl()
  await makeStore(
    databaseUrl,
    Array.from({ length: ANIMALS }, (_, n) => `animal ${n} ${'x'.repeat(150)}`),
  )
  return { service: await startProcess({ databaseUrl }), path: pathOf(databaseUrl) }
}

/** Not ready and not writing, with a sentence in the log. */
async function expectOutOfService(service: ServiceProcess, sentence: RegExp): Promise<void> {
  for (const answer of [await service.fetch('/readyz'), await service.post(petJson({}))])
    expect([answer.failure, answer.headers.get('retry-after')]).toEqual(['503 unavailable', '1'])
  expect(await service.fetch('/livez')).toHaveStatus(200)
  const { cause } = await service.output.entry(line => line.event === 'request-failed')
  expect(JSON.stringify(cause)).toMatch(sentence)
}

const replaceBy = (path: string, content: string): void => {
  copyFileSync(content, `${path}.new`)
  renameSync(`${path}.new`, path)
}

const attacks: [string, (path: string) => void][] = [
  ['removed', path => rmSync(path)],
  ['removed with its log', path => ['', '-wal', '-shm'].map(end => rmSync(path + end))],
  ['without its log', path => rmSync(`${path}-wal`)],
  ['without the index of its log', path => rmSync(`${path}-shm`)],
  ['moved away', path => renameSync(path, `${path}.away`)],
  ['replaced by a copy', path => replaceBy(path, path)],
]

describe('a database that is harmed while the service runs makes it not ready and ends all acknowledgements', () => {
  test.each(attacks)('%s', async (_attack, attack) => {
    const { service, path } = await serviceWithAnimals()
    expect(await service.post(petJson({}))).toHaveStatus(201)
    attack(path)
    await expectOutOfService(service, /was removed or replaced while the service was running/)
    await service.kill()
  })

  test('damaged: from the first read that meets the damage on', async () => {
    const { service, path } = await serviceWithAnimals()
    writeFileSync(path, readFileSync(path).fill(0xa5, 16_384), { flag: 'r+' })
    const answers = await Promise.all(
      ['available', 'sold'].map(status => service.fetch(`/v1/pets?limit=100&status=${status}`)),
    )
    expect(answers.map(({ status }) => status)).toContain(503)
    await expectOutOfService(service, /is damaged \(|malformed/)
    expect(await service.fetch('/readyz')).toHaveStatus(503)
    await service.kill()
  })
})

test('a database that was moved away and is put back is served again, with every animal', async () => {
  const service = await startProcess({ databaseUrl: await freshSqliteUrl() })
  const path = pathOf(service.options.databaseUrl)
  const caller = new Caller(service)
  await caller.add('before')
  renameSync(path, `${path}.away`)
  expect(await caller.add('into nowhere')).toBe(503)
  renameSync(`${path}.away`, path)
  expect(await service.fetch('/readyz')).toHaveStatus(200)
  await caller.untilAdded('after')
  await caller.expectNothingElse()
  expect(await service.stop()).toBe(0)
})
