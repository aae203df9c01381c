import { describe, expect, test } from 'bun:test'
import { copyFileSync, readFileSync, renameSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { petJson } from '../support/http.ts'
import { freshSqliteUrl, pathOf } from '../support/process.ts'
import { type Service, startService } from '../support/service.ts'
import { engineAt, makeStore } from '../support/store.ts'

const PAGE = 4096

/** A service on a database of several pages, all of them in the file and none in the write-ahead log. */
async function serviceWithAnimals(): Promise<{ service: Service; path: string }> {
  const databaseUrl = await freshSqliteUrl()
  const names = Array.from({ length: 300 }, (_, n) => `animal ${n} ${'x'.repeat(150)}`)
  await makeStore(databaseUrl, names)
  return { service: await startService({ databaseUrl }), path: pathOf(databaseUrl) }
}

/** Not ready and not writing, with a sentence in the log. */
async function expectOutOfService(service: Service, sentence: RegExp): Promise<void> {
  const answers = [await service.fetch('/readyz'), await service.post(petJson({}))]
  for (const answer of answers)
    expect([answer.failure, answer.headers.get('retry-after')]).toEqual(['503 unavailable', '1'])
  expect(await service.fetch('/livez')).toHaveStatus(200)
  await service.output.entry(
    line => line.event === 'request-failed' && sentence.test(JSON.stringify(line.cause)),
  )
}

const replaceBy = (path: string, content: string): void => {
  copyFileSync(content, `${path}.new`)
  renameSync(`${path}.new`, path)
}

const attacks: [string, (path: string) => void][] = [
  ['emptied', path => truncateSync(path, 0)],
  ['without the index of its log', path => rmSync(`${path}-shm`)],
  ['replaced by a copy', path => replaceBy(path, path)],
]

describe('a database that is harmed while the service runs makes it not ready and ends all acknowledgements', () => {
  test.each(attacks)('%s', async (_attack, attack) => {
    const { service, path } = await serviceWithAnimals()
    expect(await service.post(petJson({}))).toHaveStatus(201)
    attack(path)
    await expectOutOfService(service, /was removed, emptied or replaced while the service was running/)
    service.discard()
  })

  test('damaged where a read meets it, though adding would not', async () => {
    const { service, path } = await serviceWithAnimals()
    const bytes = readFileSync(path).fill(0xa5, 10 * PAGE, 11 * PAGE)
    writeFileSync(path, bytes, { flag: 'r+' })
    expect(await service.fetch('/v1/pets?limit=100')).toHaveStatus(503)
    await expectOutOfService(service, /is damaged \(/)
    // Opening the file does not meet this damage.
    const { findings } = await engineAt(service.options.databaseUrl).diagnose()
    expect(findings.find(({ topic }) => topic === 'database')?.level).toBe('fail')
    service.discard()
  })
})

test('a database that was moved away and is put back is served again, with every animal', async () => {
  const { service, path } = await serviceWithAnimals()
  renameSync(path, `${path}.away`)
  expect((await service.post(petJson({ name: 'into nowhere' }))).failure).toBe('503 unavailable')
  renameSync(`${path}.away`, path)
  expect(await service.fetch('/readyz')).toHaveStatus(200)
  // The refused animal was rolled back, so its identifier was free.
  expect((await service.add({ name: 'after' })).id).toBe(301n)
  expect(await service.stop()).toBe(0)
})
