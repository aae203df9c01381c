import { expect, test } from 'bun:test'
import { chmodSync } from 'node:fs'
import { join } from 'node:path'
import { createKey, petstore } from '../../support/service/cli.ts'
import { freshFolder, freshSqliteUrl } from '../../support/service/folder.ts'

test('after a restore doctor knows the backup, and --next-id does not warn about what it just prevented', async () => {
  const databaseUrl = await freshSqliteUrl()
  await createKey(databaseUrl, 'x')
  const file = join(await freshFolder(), 'b.db')
  await petstore(['backup', file], { DATABASE_URL: databaseUrl })
  const restored = await freshSqliteUrl()
  await petstore(['restore', file], { DATABASE_URL: restored })
  const doctor = await petstore(['doctor'], { DATABASE_URL: restored, PORT: '0' })
  expect(doctor.stdout).toMatch(/ok +backup +less than a minute ago, .*b\.db/)
  const said = async (...flags: string[]) =>
    (await petstore(['restore', file, ...flags], { DATABASE_URL: await freshSqliteUrl() })).stdout
  expect(await said()).toContain('may be assigned again (--next-id)')
  const prevented = await said('--next-id', '1000')
  expect(prevented).not.toContain('assigned again')
  expect(prevented).toContain('keys revoked since are valid again')
})

test('doctor remarks on a database that other users may open', async () => {
  const databaseUrl = await freshSqliteUrl()
  await createKey(databaseUrl, 'x')
  const privacy = async () => (await petstore(['doctor'], { DATABASE_URL: databaseUrl, PORT: '0' })).stdout
  expect(await privacy()).toMatch(/ok +privacy +.* has mode 600/)
  chmodSync(databaseUrl.replace('sqlite:', ''), 0o644)
  expect(await privacy()).toMatch(/advice +privacy +.* has mode 644: .*chmod 600/)
})
