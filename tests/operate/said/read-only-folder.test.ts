import { expect, test } from 'bun:test'
import { chmodSync, chownSync, existsSync } from 'node:fs'
import { join } from 'node:path'
import { petstore } from '../../support/service/cli.ts'
import { freshFolder, freshSqliteUrl } from '../../support/service/folder.ts'

const NOBODY = 65_534
const LARGE = '{"name":"Rex","categoryId":9007199254740993}\n'

/** Makes a folder read-only for its owner; as root, gives it to another user, as whom root then acts. */
function makeReadOnly(folder: string, file: string): void {
  if (process.getuid?.() === 0) for (const path of [folder, file]) chownSync(path, NOBODY, NOBODY)
  chmodSync(file, 0o400)
  chmodSync(folder, 0o555)
}

test('a database or a backup in a read-only folder can be exported, copied and restored, exact to the last digit', async () => {
  const from = await freshSqliteUrl()
  const animals = join(await freshFolder(), 'animals.ndjson')
  await Bun.write(animals, LARGE)
  expect(
    await petstore(['pets', 'import', animals, '--create', '--yes'], { DATABASE_URL: from }),
  ).toMatchObject({ code: 0 })
  const folder = await freshFolder()
  const backup = join(folder, 'backup.db')
  expect(await petstore(['backup', backup], { DATABASE_URL: from })).toMatchObject({ code: 0 })
  makeReadOnly(folder, backup)
  const readOnly = `sqlite:${backup}`

  const exported = await petstore(['pets', 'export', '-'], { DATABASE_URL: readOnly })
  expect(exported.code).toBe(0)
  expect(exported.stdout).toContain('"categoryId":9007199254740993')
  const copied = await freshSqliteUrl()
  expect(await petstore(['copy', '--from', readOnly, '--to', copied])).toMatchObject({ code: 0 })
  const restored = await freshSqliteUrl()
  expect(await petstore(['restore', backup], { DATABASE_URL: restored })).toMatchObject({ code: 0 })
  for (const url of [copied, restored])
    expect((await petstore(['pets', 'export', '-'], { DATABASE_URL: url })).stdout).toBe(exported.stdout)
  expect(existsSync(`${backup}-wal`)).toBe(false)
  chmodSync(folder, 0o755)
})

test('so can the database of a stopped service, whose log SQLite would create again', async () => {
  const folder = await freshFolder()
  const path = join(folder, 'animals.db')
  const DATABASE_URL = `sqlite:${path}`
  const animals = join(await freshFolder(), 'animals.ndjson')
  await Bun.write(animals, LARGE)
  await petstore(['pets', 'import', animals, '--create', '--yes'], { DATABASE_URL })
  makeReadOnly(folder, path)
  try {
    const exported = await petstore(['pets', 'export', '-'], { DATABASE_URL })
    expect(exported).toMatchObject({ code: 0, stdout: expect.stringContaining('9007199254740993') })
    const backup = join(await freshFolder(), 'backup.db')
    expect(await petstore(['backup', backup], { DATABASE_URL })).toMatchObject({ code: 0 })
    const copied = await freshSqliteUrl()
    expect(await petstore(['copy', '--from', DATABASE_URL, '--to', copied])).toMatchObject({ code: 0 })
    const restored = { DATABASE_URL: await freshSqliteUrl() }
    expect(await petstore(['restore', path], restored)).toMatchObject({ code: 0 })
    const refused = await petstore(['copy', '--from', copied, '--to', DATABASE_URL])
    expect(refused).toMatchObject({ code: 1, stderr: expect.stringMatching(/^petstore: [^\n]+\.\n$/) })
  } finally {
    chmodSync(folder, 0o755)
  }
})
