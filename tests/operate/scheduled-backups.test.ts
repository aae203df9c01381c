import { expect, test } from 'bun:test'
import { readdirSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { petJson } from '../support/http/exact.ts'
import { petstore } from '../support/service/cli.ts'
import { freshFolder, freshSqliteUrl } from '../support/service/folder.ts'
import { eventually } from '../support/service/process.ts'
import { startProcess } from '../support/service/service-process.ts'

const secondsOf = (file: unknown): number =>
  Date.parse(basename(String(file), '.db').replace(/^production-(.*T)(\d\d)-(\d\d)-(\d\dZ)$/, '$1$2:$3:$4')) /
  1000

const BACKUP = /^production-\d{4}-\d\d-\d\dT\d\d-\d\d-\d\dZ\.db$/

test('backups are made while serving, the newest are kept, and files of others are left alone', async () => {
  const folder = await freshFolder()
  const others = ['notes.txt', 'staging-2026-01-01T00-00-00Z.db', 'production.db']
  for (const name of others) await writeFile(join(folder, name), 'mine')
  const abandoned = join(folder, 'production-2026-01-01T00-00-00Z.db')
  await mkdir(`${abandoned}-draft-0123456789abcdef`)
  for (const left of ['-draft-0123456789abcdef/draft', '-lock']) await writeFile(abandoned + left, 'half')

  const service = await startProcess({
    databaseUrl: await freshSqliteUrl(),
    variables: { PETSTORE_BACKUP_EVERY: '1s', PETSTORE_BACKUP_KEEP: '2', PETSTORE_BACKUP_DIR: folder },
  })
  await service.post(petJson({ name: 'Rex' }))
  const made = () => service.output.log.filter(({ event }) => event === 'backup-made')
  await eventually('four backups', () => (made().length >= 4 ? true : undefined))
  expect(await service.stop()).toBe(0)

  const files = readdirSync(folder)
  const newest = files.filter(name => BACKUP.test(name)).toSorted()
  expect(newest.length).toBe(2)
  expect(files.filter(name => !BACKUP.test(name)).toSorted()).toEqual(others.toSorted())
  const last = made().at(-1)
  expect(last).toMatchObject({ level: 'info', animals: 1, file: join(folder, newest.at(-1) ?? '') })
  const restored = await petstore(['restore', String(last?.file)], { DATABASE_URL: await freshSqliteUrl() })
  expect(restored.stdout).toContain('Restored 1 animal ')
})

test('a restart does not make another backup before it is due', async () => {
  const databaseUrl = await freshSqliteUrl()
  const service = await startProcess({ databaseUrl, variables: { PETSTORE_BACKUP_EVERY: '4s' } })
  const first = await service.output.entry(({ event }) => event === 'backup-made')
  const again = await service.restart()
  const next = await again.output.entry(({ event }) => event === 'backup-made')
  // The names contain the second in which each backup began.
  expect(secondsOf(next.file) - secondsOf(first.file)).toBeGreaterThanOrEqual(4)
  expect(await again.stop()).toBe(0)
})

test('a scheduled backup leaves the service its locks: no restore comes in while it runs', async () => {
  const databaseUrl = await freshSqliteUrl()
  const service = await startProcess({ databaseUrl, variables: { PETSTORE_BACKUP_EVERY: '1h' } })
  const { file } = await service.output.entry(({ event }) => event === 'backup-made')
  const restored = await petstore(['restore', String(file), '--force'], { DATABASE_URL: databaseUrl })
  expect(restored).toMatchObject({ code: 5, stdout: '' })
  expect(restored.stderr).toContain('Stop it first')
  expect((await service.post(petJson({ name: 'still served' }))).status).toBe(201)
  expect(await service.stop()).toBe(0)
})

test('of two services on one database, one makes each scheduled backup', async () => {
  const databaseUrl = await freshSqliteUrl()
  const variables = { PETSTORE_BACKUP_EVERY: '2s', PETSTORE_BACKUP_KEEP: '100' }
  const services = await Promise.all([
    startProcess({ databaseUrl, variables }),
    startProcess({ databaseUrl, variables }),
  ])
  const made = () =>
    services.flatMap(({ output }) => output.log.filter(({ event }) => event === 'backup-made'))
  await eventually('five backups', () => (made().length >= 5 ? true : undefined), 60_000)
  for (const service of services) expect(await service.stop()).toBe(0)
  const log = services.flatMap(({ output }) => output.log)
  expect(log.filter(({ event }) => event === 'background-task-failed')).toEqual([])
  const times = made()
    .map(({ file }) =>
      Date.parse(String(file).replace(/.*production-(.*)T(..)-(..)-(..)Z\.db$/, '$1T$2:$3:$4Z')),
    )
    .toSorted((a, b) => a - b)
  for (const [index, time] of times.entries())
    expect(time - (times[index - 1] ?? 0)).toBeGreaterThanOrEqual(2000)
})

test('a backup that cannot be made is reported, and the service goes on', async () => {
  const folder = await freshFolder()
  const service = await startProcess({
    databaseUrl: await freshSqliteUrl(),
    variables: { PETSTORE_BACKUP_EVERY: '1s', PETSTORE_BACKUP_DIR: join(folder, 'gone') },
  })
  await service.output.entry(({ event }) => event === 'backup-made')
  await Bun.$`rm -r ${join(folder, 'gone')}`.quiet()
  const failed = await service.output.entry(({ event }) => event === 'background-task-failed')
  expect(failed).toMatchObject({ level: 'error', task: 'making a backup' })
  expect((await service.post(petJson({ name: 'still here' }))).status).toBe(201)
  expect(await service.stop()).toBe(0)
})

test.each([
  ['PETSTORE_BACKUP_EVERY', '6', 2],
  ['PETSTORE_BACKUP_EVERY', '0s', 2],
  ['PETSTORE_BACKUP_EVERY', '25d', 2],
  ['PETSTORE_BACKUP_KEEP', '0', 2],
  ['PETSTORE_BACKUP_KEEP', 'all', 2],
  ['PETSTORE_BACKUP_DIR', '/proc/petstore/backups', 1],
])('%s = %s stops the start with a sentence', async (variable, value, exit) => {
  const variables = {
    PORT: '0',
    DATABASE_URL: await freshSqliteUrl(),
    PETSTORE_BACKUP_EVERY: '6h',
    [variable]: value,
  }
  const { code, stderr } = await petstore(['serve'], variables)
  expect(code).toBe(exit)
  expect(stderr).toMatch(/^petstore: [^\n]+\.\n$/)
})
