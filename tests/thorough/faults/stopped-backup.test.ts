import { Database } from 'bun:sqlite'
import { expect, test } from 'bun:test'
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { petstore } from '../../support/service/cli.ts'
import { freshFolder, freshSqliteUrl } from '../../support/service/folder.ts'
import { commandLine, environmentWith, eventually } from '../../support/service/process.ts'
import { startProcess } from '../../support/service/service-process.ts'
import { figure, measured } from './support/form.ts'
import { pathOf } from './support/stored.ts'

/** Takes seconds to copy, so that the backup can be stopped midway. */
const ANIMALS = figure(300_000, 3_000_000)
/** A backup is ended after it was stopped for 10 seconds while it kept the log from being emptied. */
const DUE_MS = 15_000

async function filled(): Promise<string> {
  const databaseUrl = await freshSqliteUrl()
  expect(await (await startProcess({ databaseUrl })).stop()).toBe(0)
  const database = new Database(pathOf(databaseUrl))
  database.run(
    `WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < ${ANIMALS})
     INSERT INTO pets (name, category_id, status) SELECT 'animal ' || n, 1, 'sold' FROM numbers`,
  )
  database.close()
  return databaseUrl
}

/** Whether the log can be emptied after an addition, because no connection prevents it. */
function canEmptyLog(databaseUrl: string): boolean {
  const database = new Database(pathOf(databaseUrl))
  try {
    database.run("INSERT INTO pets (name, category_id, status) VALUES ('later', 1, 'sold')")
    return database.query<{ busy: number }, []>('PRAGMA wal_checkpoint(TRUNCATE)').get()?.busy === 0
  } finally {
    database.close()
  }
}

/** The draft grows only while the database is being read. */
const isCopying = (folder: string): boolean =>
  readdirSync(folder).some(name => name.includes('-draft-') && Bun.file(join(folder, name)).size > 0)

/** A backup stopped while it reads the database; retries if it finished first. */
async function stoppedCopying(databaseUrl: string, file: string): Promise<Bun.Subprocess> {
  for (;;) {
    const backup = Bun.spawn(commandLine('backup', file), {
      env: environmentWith({ DATABASE_URL: databaseUrl }),
      stdio: ['ignore', 'ignore', 'ignore'],
    })
    await eventually('it copies', () => isCopying(dirname(file)) || backup.exitCode !== null || undefined)
    backup.kill('SIGSTOP')
    if (!canEmptyLog(databaseUrl)) return backup
    backup.kill('SIGCONT')
    await backup.exited
    rmSync(file, { force: true })
  }
}

test('a backup that is stopped while it copies lets go of the log within seconds, leaves the last backup as it was, and the next one succeeds', async () => {
  const databaseUrl = await filled()
  const folder = await freshFolder()
  const file = join(folder, 'backup.db')
  const backup = await stoppedCopying(databaseUrl, file)
  const since = performance.now()
  await eventually('the log can be emptied', () => canEmptyLog(databaseUrl) || undefined, DUE_MS)
  const tookMs = performance.now() - since
  await backup.exited
  expect([backup.signalCode, existsSync(file)]).toEqual(['SIGKILL', false])
  const next = await petstore(['backup', file], { DATABASE_URL: databaseUrl })
  expect(next.code).toBe(0)
  expect(readdirSync(folder)).toEqual(['backup.db'])
  measured('a stopped backup', `ended after ${(tookMs / 1000).toFixed(1)} s, and the log could be emptied`)
})

test('a scheduled backup is a process of its own: stopped, it is ended and reported, and the service goes on', async () => {
  const databaseUrl = await filled()
  const folder = join(dirname(pathOf(databaseUrl)), 'backups')
  const service = await startProcess({ databaseUrl, variables: { PETSTORE_BACKUP_EVERY: '1h' } })
  await eventually('it copies', () => (existsSync(folder) && isCopying(folder)) || undefined)
  const [child = ''] = childrenOf(service.process.pid)
  process.kill(Number(child), 'SIGSTOP')
  const failed = await service.output.entry(({ event }) => event === 'background-task-failed')
  expect(failed).toMatchObject({ task: 'making a backup' })
  expect(canEmptyLog(databaseUrl)).toBe(true)
  expect((await service.fetch('/readyz')).status).toBe(200)
  expect(await service.stop()).toBe(0)
  expect(readdirSync(folder).filter(name => basename(name).endsWith('.db'))).toEqual([])
})

const childrenOf = (pid: number): string[] =>
  readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ')
