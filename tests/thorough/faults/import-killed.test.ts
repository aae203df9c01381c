import { expect } from 'bun:test'
import { join } from 'node:path'
import { pathOf } from '../../copy/seed.ts'
import { needs } from '../../support/programs/needs.ts'
import { program } from '../../support/programs/program.ts'
import { makeEmptyStore } from '../../support/service/empty-store.ts'
import { freshFolder, freshSqliteUrl } from '../../support/service/folder.ts'
import { commandLine, environmentWith } from '../../support/service/process.ts'
import { animalsInWhole } from '../../support/service/whole-database.ts'
import { killPoints } from './support/kill-points.ts'

const { test } = needs('strace')

/** The system calls that change the temporary file or the database, or sync them. */
const CALLS = ['pwrite64', 'fsync,fdatasync', 'ftruncate', '?unlink,unlinkat']
const IN_FILE = 100
const SLOW_MS = 300_000

test(
  'an import that is killed before any of its steps has added nothing or everything',
  async () => {
    const databaseUrl = await freshSqliteUrl()
    const file = join(await freshFolder(), 'animals.ndjson')
    await Bun.write(file, '{"name":"Rex","categoryId":9007199254740993}\n'.repeat(IN_FILE))
    await makeEmptyStore(databaseUrl)

    let before = 0
    const outcomes = new Set<number>()
    for (const calls of CALLS)
      for (const call of killPoints(calls)) {
        const inject = ['-f', '-qq', '-o', '/dev/null', '-e', `inject=${calls}:signal=KILL:when=${call}`]
        const child = Bun.spawn(
          [
            program('strace'),
            ...inject,
            ...commandLine('pets', 'import', file, '--create', '--yes', '--database-url', databaseUrl),
          ],
          { env: environmentWith({}), stdio: ['ignore', 'ignore', 'ignore'] },
        )
        await child.exited
        const after = animalsInWhole(pathOf(databaseUrl))
        outcomes.add(after - before)
        before = after
        if (child.signalCode !== 'SIGKILL') break
      }
    expect(outcomes).toEqual(new Set([0, IN_FILE]))
  },
  SLOW_MS,
)
