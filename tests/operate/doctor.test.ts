import { expect, test } from 'bun:test'
import * as fs from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Variables } from '../support/process.ts'
import { freePort, freshFolder, freshSqliteUrl, pathOf, petstore } from '../support/process.ts'
import { API_KEY, onEveryEngine } from '../support/service.ts'
import { runIn } from '../support/statements.ts'
import { addKey, engineAt, makeStore } from '../support/store.ts'

interface Report {
  readonly findings: { topic: string; level: string; text: string }[]
}

async function doctor(variables: Variables, ...flags: string[]) {
  const { code, stdout, stderr } = await petstore(['doctor', '--json', ...flags], variables)
  const report = JSON.parse(stdout) as Report
  const levels = Object.fromEntries(report.findings.map(({ topic, level }) => [topic, level]))
  const text = (topic: string) => report.findings.find(finding => finding.topic === topic)?.text ?? ''
  return { code, stdout, stderr, levels, text, ...report }
}

onEveryEngine('doctor', (service, engine) => {
  test('finds a running service in order and ends with 0', async () => {
    const { options, url } = service()
    const { code, levels, text, stderr } = await doctor({
      DATABASE_URL: options.databaseUrl,
      PORT: new URL(url).port,
      PETSTORE_SERVER_API_KEY: API_KEY,
    })
    expect(Object.entries(levels).filter(([, level]) => level === 'fail')).toEqual([])
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(text('database')).toMatch(engine.name === 'sqlite' ? /SQLite \d/ : /PostgreSQL \d/)
    for (const topic of ['settings', 'service', 'API keys'])
      expect([topic, levels[topic]]).toEqual([topic, 'ok'])
    const staging = await doctor({ PORT: new URL(url).port, PETSTORE_ENV: 'staging' })
    expect(`${staging.levels.service}: ${staging.text('service')}`).toMatch(/^fail: .*environment/)
  })

  test('changes nothing: an empty database stays empty', async () => {
    const variables = { DATABASE_URL: await engine.freshDatabaseUrl(), PORT: String(await freePort()) }
    for (let round = 0; round < 2; round++) {
      const { code, text, levels } = await doctor(variables)
      expect(code).toBe(1)
      expect(text('animals')).toMatch(/^There is no (database at|petstore in) /)
      expect(levels).toMatchObject({ animals: 'fail', service: 'fail' })
    }
  })

  test('fails where the certificate is missing or the configured key was revoked, and believes neither a use in the future nor an older one', async () => {
    const databaseUrl = await engine.freshDatabaseUrl()
    const key = await addKey(databaseUrl, 'gone')
    const store = await engineAt(databaseUrl).open({ create: false })
    const [{ id = '' } = {}] = await store.keys.list()
    const use = (at: string, deprecatedCalls = 1) =>
      store.keys.recordUses([{ id, at: new Date(at), deprecatedCalls }])
    for (const at of ['2100-01-01', '2026-01-01']) await use(at)
    await use('2026-02-01', 0)
    await use('2025-01-01')
    const [used] = await store.keys.list()
    const times = [used?.lastUsedAt, used?.deprecatedCallAt]
    expect(times).toEqual([new Date('2026-02-01'), new Date('2026-01-01')])
    expect(await store.keys.revoke(id, new Date())).toBe(true)
    expect(await store.keys.revoke(id, new Date())).toBe(false)
    await store.close()
    const tls = { PETSTORE_TLS_CERT: 'none.crt', PETSTORE_TLS_KEY: 'none.key' }
    const variables = { DATABASE_URL: databaseUrl, PORT: '0', PETSTORE_SERVER_API_KEY: key, ...tls }
    const { levels, text } = await doctor(variables)
    expect(text('API keys')).toStartWith('PETSTORE_SERVER_API_KEY was revoked')
    expect(levels.certificate).toBe('fail')
  })
})

test('doctor names the database that the settings mean and why it cannot be used, and shows no secret, valid or not', async () => {
  for (const [url, reason] of [
    ['postgres://u:canary-1@127.0.0.1:1/pets?password=canary-2', 'fail: postgres://127.0.0.1:1/pets cannot'],
    ['mysql://u:canary@h/pets', 'undefined: '],
  ] as const) {
    const { code, stdout, stderr, levels, text } = await doctor({ DATABASE_URL: url, PORT: '1' })
    expect([code, `${levels.database}: ${text('database')}`]).toEqual([1, expect.stringContaining(reason)])
    expect(stdout + stderr).not.toContain('canary')
    expect(text('settings')).toMatch(/animals in postgres:\/\/127\.0\.0\.1:1\/pets$|^DATABASE_URL .* must be/)
  }
})

test('doctor advises on what can wait: a key that expires soon, no backup, a file in memory that others may open', async () => {
  const hasMemory = fs.existsSync('/dev/shm')
  const folder = fs.mkdtempSync(join(hasMemory ? '/dev/shm' : tmpdir(), 'petstore-test-'))
  const databaseUrl = `sqlite:${join(folder, 'animals.db')}`
  const inTwoDays = new Date(Date.now() + 2 * 86_400_000)
  for (const name of ['short', 'gone']) await addKey(databaseUrl, name, inTwoDays)
  runIn(pathOf(databaseUrl), "UPDATE api_keys SET revoked_at = 1 WHERE name = 'gone'")
  fs.chmodSync(pathOf(databaseUrl), 0o640)
  const { code, levels, text } = await doctor({ DATABASE_URL: databaseUrl, PORT: '0' })
  fs.rmSync(folder, { recursive: true })
  expect(code).toBe(0)
  for (const topic of ['API keys', 'backup', 'privacy', ...(hasMemory ? ['disk'] : [])])
    expect([topic, levels[topic]]).toEqual([topic, 'advice'])
  expect(text('API keys')).toStartWith('1 of 2 valid; 1 key will expire within 14 days')
})

test('doctor knows the last backup, which a restored database remembers', async () => {
  const [databaseUrl, restored] = [await freshSqliteUrl(), await freshSqliteUrl()]
  await makeStore(databaseUrl)
  const file = join(await freshFolder(), 'b.db')
  const madeAt = new Date()
  await engineAt(databaseUrl).backUp({ file, force: false })
  // The backup knows its time; copying the file would change the file's.
  fs.utimesSync(file, 0, 0)
  await engineAt(restored).restore({ file, force: false, nextId: undefined })
  const { levels, text } = await doctor({ DATABASE_URL: restored, PORT: '0' })
  const day = madeAt.toISOString().slice(0, 10)
  expect(`${levels.backup}: ${text('backup')}`).toStartWith(`ok: the last one was made at ${day}`)
})
