import { expect } from 'bun:test'
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { needs } from '../../support/programs/needs.ts'
import { program } from '../../support/programs/program.ts'
import { petstore } from '../../support/service/cli.ts'
import { freshFolder, freshSqliteUrl } from '../../support/service/folder.ts'
import { commandLine, environmentWith } from '../../support/service/process.ts'
import { makeStore } from '../../support/service/stored-pets.ts'
import { animalsInWhole } from '../../support/service/whole-database.ts'
import { isFull } from './support/form.ts'
import { killPoints } from './support/kill-points.ts'
import { fill } from './support/stored.ts'

const { test } = needs('strace')

/** The system calls that change a file or a name, or sync them. Some names differ by CPU architecture. */
const CALLS = [
  'pwrite64',
  'ftruncate',
  'fsync,fdatasync',
  '?rename,?renameat,renameat2',
  '?link,linkat',
  '?unlink,unlinkat',
]
const IN_BACKUP = 40
const BEFORE = 60
const DAMAGED = 'no database any more'

async function storeWithBackup() {
  const databaseUrl = await freshSqliteUrl()
  const path = databaseUrl.replace('sqlite:', '')
  const file = join(await freshFolder(), 'backup.db')
  await makeStore(databaseUrl, [])
  fill(path, IN_BACKUP)
  expect((await petstore(['backup', file], { DATABASE_URL: databaseUrl })).code).toBe(0)
  return { databaseUrl, path, file }
}

interface Attempt {
  readonly databaseUrl: string
  readonly file: string
  /** Puts the database in place that the restore replaces. */
  readonly prepare: () => void
  /** Checks what a kill has left. */
  readonly look: () => void
}

/** Restores repeatedly, killed one system call later each time, just before the call. Returns the number of kills. */
async function killAtEveryCall({ databaseUrl, file, prepare, look }: Attempt): Promise<number> {
  let kills = 0
  for (const calls of CALLS)
    for (const count of killPoints(calls)) {
      prepare()
      if (!(await isKilled(`${calls}:signal=KILL:when=${count}`, databaseUrl, file))) break
      kills++
      look()
    }
  return kills
}

/** Whether the awaited call occurred; a restore without it must have succeeded. */
async function isKilled(injection: string, databaseUrl: string, file: string): Promise<boolean> {
  const inject = ['-f', '-qq', '-o', '/dev/null', '-e', `inject=${injection}`]
  const restore = commandLine('restore', file, '--force')
  const child = Bun.spawn([program('strace'), ...inject, ...restore], {
    env: environmentWith({ DATABASE_URL: databaseUrl }),
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  const [errors] = await Promise.all([child.stderr.text(), child.exited])
  if (child.signalCode !== 'SIGKILL')
    expect([injection, child.exitCode, child.exitCode === 0 ? '' : errors]).toEqual([injection, 0, ''])
  return child.signalCode === 'SIGKILL'
}

test('a restore that is killed before any of its steps leaves the old database or the new one, whole', async () => {
  const { databaseUrl, path, file } = await storeWithBackup()
  const seen = new Set<number>()
  const kills = await killAtEveryCall({
    databaseUrl,
    file,
    prepare: () => fill(path, BEFORE - animalsInWhole(path)),
    look: () => seen.add(animalsInWhole(path)),
  })
  expect(kills).toBeGreaterThan(isFull ? 30 : 15)
  expect(seen).toEqual(new Set([BEFORE, IN_BACKUP]))
  expect(animalsInWhole(path)).toBe(IN_BACKUP)
  expect(readdirSync(dirname(path)).filter(name => name.includes('-draft-'))).toEqual([])
})

test('a restore over a damaged database that is killed never leaves its place empty, where a service would create a new one', async () => {
  const { databaseUrl, path, file } = await storeWithBackup()
  const stateOf = () => (readFileSync(path, 'utf8') === DAMAGED ? 'damaged' : animalsInWhole(path))
  const seen = new Set<string | number>()
  const kills = await killAtEveryCall({
    databaseUrl,
    file,
    prepare: () => {
      // A new file, because the old one may still exist under its second name.
      rmSync(path)
      writeFileSync(path, DAMAGED)
      writeFileSync(`${path}-wal`, 'nor a log')
    },
    look: () => seen.add(stateOf()),
  })
  expect(kills).toBeGreaterThan(isFull ? 20 : 12)
  expect(seen).toEqual(new Set(['damaged', IN_BACKUP]))
  expect(stateOf()).toBe(IN_BACKUP)
})
