import { Database } from 'bun:sqlite'
import { describe, expect, test } from 'bun:test'
import {
  copyFileSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { petJson, walk } from '../../support/http.ts'
import { freshSqliteUrl, petstore } from '../../support/process.ts'
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
  expect((await service.fetch('/livez')).status).toBe(200)
  const { cause } = await service.output.entry(line => line.event === 'request-failed')
  expect(JSON.stringify(cause)).toMatch(sentence)
}

const replaceBy = (path: string, content: string): void => {
  copyFileSync(content, `${path}.new`)
  renameSync(`${path}.new`, path)
}

const GONE = /was removed or replaced while the service runs/
const CUT = /was cut short while the service runs/

const attacks: [string, RegExp, (path: string) => void][] = [
  ['removed', GONE, path => rmSync(path)],
  ['removed with its log', GONE, path => ['', '-wal', '-shm'].map(end => rmSync(path + end))],
  ['without its log', GONE, path => rmSync(`${path}-wal`)],
  ['without the index of its log', GONE, path => rmSync(`${path}-shm`)],
  ['moved away', GONE, path => renameSync(path, `${path}.away`)],
  ['replaced by a copy', GONE, path => replaceBy(path, path)],
  ['cut in half', CUT, path => truncateSync(path, statSync(path).size / 2)],
  ['emptied', CUT, path => truncateSync(path, 0)],
]

describe('a database that is harmed while the service runs makes it not ready and ends all acknowledgements', () => {
  test.each(attacks)('%s', async (_attack, sentence, attack) => {
    const { service, path } = await serviceWithAnimals()
    expect((await service.post(petJson({}))).status).toBe(201)
    attack(path)
    await expectOutOfService(service, sentence)
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
    expect((await service.fetch('/readyz')).status).toBe(503)
    await service.kill()
  })
})

test.each([
  ['emptied', 0],
  ['cut after its first pages', 9000],
])(
  'a log that was %s under a running service ends all acknowledgements, and none of them is lost by a kill',
  async (_how, bytes) => {
    const { service, path } = await serviceWithAnimals()
    for (let n = 0; n < 5; n++) expect((await service.post(petJson({}))).status).toBe(201)
    truncateSync(`${path}-wal`, bytes)
    const later: string[] = []
    for (let n = 0; n < 20; n++) {
      const name = `after the cut ${n}`
      if ((await service.post(petJson({ name }))).status === 201) later.push(name)
    }
    await expectOutOfService(service, /log .* was cut short while the service runs/)
    // A command that writes in between must not make the log look whole again.
    await petstore(['keys', 'create', '--name', 'x'], { DATABASE_URL: service.options.databaseUrl })
    await expectOutOfService(service, /log .* was cut short while the service runs/)
    await service.kill()
    const again = await service.restart()
    const names = new Set((await walk(again, '/v1/pets?limit=100')).pets.map(pet => pet.name))
    expect(later.filter(name => !names.has(name))).toEqual([])
    expect((await again.post(petJson({}))).status).toBe(201)
    expect(await again.stop()).toBe(0)
  },
)

test('a database that was moved away and is put back is served again, with every animal', async () => {
  const service = await startProcess({ databaseUrl: await freshSqliteUrl() })
  const path = pathOf(service.options.databaseUrl)
  const caller = new Caller(service)
  await caller.add('before')
  renameSync(path, `${path}.away`)
  expect(await caller.add('into nowhere')).toBe(503)
  renameSync(`${path}.away`, path)
  expect((await service.fetch('/readyz')).status).toBe(200)
  await caller.untilAdded('after')
  await caller.expectNothingElse()
  expect(await service.stop()).toBe(0)
})

test('a database that another process vacuums shrinks, and stays in service', async () => {
  const { service, path } = await serviceWithAnimals()
  const { size } = statSync(path)
  const other = new Database(path)
  other.run('CREATE TABLE ballast (content TEXT)')
  other.run('INSERT INTO ballast VALUES (hex(zeroblob(500000)))')
  other.run('PRAGMA wal_checkpoint(TRUNCATE)')
  expect((await service.fetch('/readyz')).status).toBe(200)
  expect((await service.post(petJson({}))).status).toBe(201)
  expect(statSync(path).size).toBeGreaterThan(size + 900_000)
  other.run('DROP TABLE ballast')
  other.run('VACUUM')
  other.run('PRAGMA wal_checkpoint(TRUNCATE)')
  other.close()
  expect(statSync(path).size).toBeLessThan(size + 100_000)
  expect((await service.fetch('/readyz')).status).toBe(200)
  expect((await service.post(petJson({}))).status).toBe(201)
  expect(await service.stop()).toBe(0)
})
