import { expect, test } from 'bun:test'
import { chownSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { petstore } from '../support/cli.ts'
import { petJson } from '../support/exact.ts'
import { freshFolder, freshSqliteUrl } from '../support/folder.ts'
import { needs } from '../support/programs/needs.ts'
import { startService } from '../support/service.ts'

const NOBODY = 65534

test('the database, its log and its backups can be read by their owner only', async () => {
  const databaseUrl = await freshSqliteUrl()
  const path = databaseUrl.replace('sqlite:', '')
  const service = await startService({ databaseUrl })
  await service.post(petJson({ name: 'Rex' }))
  const backup = join(await freshFolder(), 'b.db')
  await petstore(['backup', backup], { DATABASE_URL: databaseUrl })
  for (const file of [path, `${path}-wal`, backup])
    expect([file, statSync(file).mode & 0o777]).toEqual([file, 0o600])
  await service.stop()
})

// Only root can make a file that another user cannot open.
needs('root').test(
  'what root makes or restores in the place of a service belongs to the user of that service',
  async () => {
    const folder = await freshFolder()
    chownSync(folder, NOBODY, NOBODY)
    const path = join(folder, 'data', 'production.db')
    const variables = { DATABASE_URL: `sqlite:${path}` }
    await petstore(['keys', 'create', '--name', 'first'], variables)
    const backup = join(await freshFolder(), 'b.db')
    await petstore(['backup', backup], variables)
    for (const flags of [[], ['--force']]) {
      for (const made of [join(folder, 'data'), path])
        expect([made, statSync(made).uid]).toEqual([made, NOBODY])
      expect((await petstore(['restore', backup, ...flags], variables)).stderr).toMatch(
        /^(petstore: .*not empty.*\n)?$/,
      )
    }
    expect(statSync(path).uid).toBe(NOBODY)
  },
)
