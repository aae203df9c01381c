import { expect, spyOn, test } from 'bun:test'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { seedSqlite } from '../copy/stores.ts'
import { walk } from '../support/http.ts'
import { Load } from '../support/load.ts'
import { MEASURED, scrape } from '../support/metrics.ts'
import { eventually, freshFolder, freshSqliteUrl, pathOf, petstore, start } from '../support/process.ts'
import { startService } from '../support/service.ts'
import { runIn } from '../support/statements.ts'
import { engineAt, makeStore } from '../support/store.ts'

test('a backup of a service at work holds every animal that was acknowledged before it began, is one moment of the store, and one file', async () => {
  const databaseUrl = await freshSqliteUrl()
  const service = await startService({ databaseUrl })
  const load = new Load(() => service.url)
  await eventually('animals are added', () => load.acknowledged.size > 20 || undefined)
  const acknowledged = [...load.acknowledged.values()]
  const file = join(await freshFolder(), 'backup.db')
  const made = await petstore(['backup', file], { DATABASE_URL: databaseUrl })
  await load.stop()
  expect(made.code).toBe(0)
  expect(made.stdout).toMatch(
    /^Backed up [\d,]+ animals and 0 API keys of production to .* and verified it\.\n$/,
  )
  expect(readdirSync(dirname(file))).toEqual(['backup.db'])
  const restored = await startService({ databaseUrl: `sqlite:${file}` })
  const animals = (await walk(restored, '/v1/pets?limit=100')).pets
  expect(animals).toEqual(expect.arrayContaining(acknowledged))
  const original = (await walk(service, '/v1/pets?limit=100')).pets
  expect(animals).toEqual(original.slice(0, animals.length))
  expect([load.unanswered, load.unavailable]).toEqual([[], 0])
  await Promise.all([service.stop(), restored.stop()])
})

const backUp = (file: string, databaseUrl: string, force = false): Promise<string> =>
  engineAt(databaseUrl)
    .backUp({ file, force })
    .then(
      () => 'done',
      ({ exit, message }: { exit: string; message: string }) => `${exit}: ${message}`,
    )

test('a backup replaces a file only by force, nothing else, and never the database itself', async () => {
  const databaseUrl = await freshSqliteUrl()
  await makeStore(databaseUrl, ['safe'])
  const folder = await freshFolder()
  const file = join(folder, 'mine')
  writeFileSync(file, 'mine')
  expect(await backUp(file, databaseUrl)).toMatch(/^invalid: .* already exists/)
  expect(readFileSync(file, 'latin1')).toBe('mine')
  expect(await backUp(file, databaseUrl, true)).toBe('done')
  expect(readFileSync(file, 'latin1')).toStartWith('SQLite format 3')
  expect(await backUp(folder, databaseUrl)).toMatch(/^invalid: .* is not a file/)
  for (const part of ['', '-wal', '-shm', '-journal'])
    expect(await backUp(pathOf(databaseUrl) + part, databaseUrl, true)).toMatch(
      /^invalid: .* is part of the database itself/,
    )
})

test('a backup to a disk that is full leaves no file behind', async () => {
  const databaseUrl = await freshSqliteUrl()
  await makeStore(databaseUrl, Array(1500).fill('x'.repeat(250)))
  const file = join(await freshFolder(), 'b.db')
  const within = ['sh', '-c', 'ulimit -f 256; trap "" XFSZ; exec "$@"', 'sh']
  const { code, stderr } = await petstore(['backup', file], { DATABASE_URL: databaseUrl }, { within })
  expect([code, stderr]).toEqual([1, expect.stringContaining('Nothing was left behind')])
  expect(readdirSync(dirname(file))).toEqual([])
})

test('Ctrl-C waits for the end of a backup or a restore, and leaves no draft behind', async () => {
  const databaseUrl = await freshSqliteUrl()
  await seedSqlite(databaseUrl, 200_000)
  const [file, restored] = [join(await freshFolder(), 'b.db'), join(await freshFolder(), 'b.db')]
  for (const [command, DATABASE_URL, made] of [
    ['backup', databaseUrl, file],
    ['restore', `sqlite:${restored}`, restored],
  ] as const) {
    const { child } = start([command, file], { DATABASE_URL })
    await eventually('it has begun', () => readdirSync(dirname(made)).length > 0 || undefined)
    child.kill('SIGINT')
    await child.exited
    expect([command, ...readdirSync(dirname(made))]).toEqual([command, 'b.db'])
  }
})

test('a backup is known to a running service; one older than two days is a warning at the start and every day', async () => {
  const databaseUrl = await freshSqliteUrl()
  const service = await startService({ databaseUrl, variables: MEASURED })
  const file = join(await freshFolder(), 'b.db')
  const environment = { DATABASE_URL: databaseUrl, TMPDIR: await freshFolder() }
  const timestamp = async () => (await scrape(service)).get('petstore_backup_timestamp_seconds')
  // A backup that was refused, or could not be written, is none.
  expect((await petstore(['backup', join(file, 'b.db')], environment)).code).not.toBe(0)
  const within = ['sh', '-c', '"$@" >/dev/full', 'sh']
  expect((await petstore(['backup', '-'], environment, { within })).code).not.toBe(0)
  // Nobody here knows what became of the bytes in a pipe.
  expect((await petstore(['backup', '-'], environment)).code).toBe(0)
  expect(await timestamp()).toBe(0)
  expect(readdirSync(environment.TMPDIR)).toEqual([])
  const startedAt = Date.now()
  expect((await petstore(['backup', file], environment)).code).toBe(0)
  expect((await timestamp()) ?? 0).toBeWithin(startedAt / 1000, Date.now() / 1000)
  await service.stop()
  expect(service.output.text).not.toMatch(/backup-is-old|no-api-key/)
  const madeDaysAgo = (days: number): string => {
    const madeAt = new Date(Date.now() - days * 86_400_000).toISOString()
    runIn(pathOf(databaseUrl), "UPDATE meta SET value = ? WHERE name = 'last_backup'", [madeAt])
    return madeAt
  }
  const dates = [madeDaysAgo(3)]
  using timers = spyOn(globalThis, 'setInterval')
  const later = await startService({ databaseUrl })
  const everyDay = timers.mock.calls.find(([, ms]) => ms === 86_400_000)?.[0] as () => Promise<void>
  dates.push(madeDaysAgo(4))
  await everyDay()
  const warnings = () => later.output.log.filter(({ event }) => event === 'backup-is-old')
  await eventually('it is repeated', () => warnings().length > 1 || undefined)
  expect(warnings()).toMatchObject(dates.map(madeAt => ({ level: 'warn', madeAt })))
  await later.stop()
})
