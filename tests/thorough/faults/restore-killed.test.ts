import { expect } from 'bun:test'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { freshFolder, freshSqliteUrl, pathOf, petstore } from '../../support/process.ts'
import { needs, program } from '../../support/programs.ts'
import { animals, makeStore } from '../../support/store.ts'
import { storedPets } from './support/stored.ts'

/** The system calls that change a file or a name, or sync them. Some names differ by CPU architecture. */
const CALLS =
  'pwrite64 ftruncate fsync,fdatasync ?rename,?renameat,renameat2 ?link,linkat ?unlink,unlinkat'.split(' ')
/** There are many writes, and all of them but the commit are of one kind. */
const EVERY_WRITE = 4
/** The exit code of a process that SIGKILL ended. */
const KILLED = 137
const IN_BACKUP = 40
const BEFORE = 60
const DAMAGED = 'no database any more'

/** Whether the awaited call occurred; a restore without it must have succeeded. */
async function isKilled(injection: string, databaseUrl: string, file: string): Promise<boolean> {
  const within = [program('strace'), '-f', '-qq', '-o', '/dev/null', '-e', `inject=${injection}`]
  const restore = ['restore', file, '--force']
  const { code, stderr } = await petstore(restore, { DATABASE_URL: databaseUrl }, { within })
  if (code !== KILLED) expect([injection, code, code === 0 ? '' : stderr]).toEqual([injection, 0, ''])
  return code === KILLED
}

const stateOf = (path: string): string | number =>
  readFileSync(path, 'latin1') === DAMAGED ? DAMAGED : storedPets(path).length

/** Puts the database in place that the restore replaces. */
const prepare: Record<string, (path: string) => string | number | Promise<number>> = {
  whole: async path => {
    await makeStore(`sqlite:${path}`, animals(BEFORE - storedPets(path).length))
    return BEFORE
  },
  damaged: path => {
    // A new file, because the old one may still exist under its second name.
    rmSync(path)
    writeFileSync(path, DAMAGED)
    writeFileSync(`${path}-wal`, 'nor a log')
    return DAMAGED
  },
}

needs('strace').test.each(Object.entries(prepare))(
  'a restore over a %s database that is killed before any of its steps leaves the old database or the new one, whole, and never an empty place',
  async (_kind, prepare) => {
    const databaseUrl = await freshSqliteUrl()
    const path = pathOf(databaseUrl)
    const file = join(await freshFolder(), 'backup.db')
    await makeStore(databaseUrl, animals(IN_BACKUP))
    expect((await petstore(['backup', file], { DATABASE_URL: databaseUrl })).code).toBe(0)
    const seen = new Set<string | number>()
    let kills = 0
    for (const calls of CALLS)
      for (let call = 1; ; call += calls === 'pwrite64' ? EVERY_WRITE : 1) {
        const before = await prepare(path)
        if (!(await isKilled(`${calls}:signal=KILL:when=${call}`, databaseUrl, file))) break
        kills++
        const left = stateOf(path)
        expect([before, IN_BACKUP]).toContain(left)
        seen.add(left)
      }
    expect(kills).toBeGreaterThan(12)
    expect(seen.size).toBe(2)
    expect(stateOf(path)).toBe(IN_BACKUP)
  },
)
