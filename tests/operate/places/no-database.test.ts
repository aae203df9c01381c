import { Database } from 'bun:sqlite'
import { describe, expect, test } from 'bun:test'
import { readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { query } from '../../support/postgres/server.ts'
import { petstore } from '../../support/service/cli.ts'
import { engines } from '../../support/service/engines.ts'
import { freshFolder } from '../../support/service/folder.ts'

test('in a folder without a database a command says where it looked and what to do, and --create makes one', async () => {
  const cwd = await freshFolder()
  const { code, stderr } = await petstore(['keys', 'create', '--name', 'x'], {}, { cwd })
  expect(code).toBe(3)
  expect(stderr).toBe(
    `petstore: There is no database at ${join(cwd, 'data/production.db')}. Run this in the folder of the service, ` +
      'or name its database with --database-url; --create creates a new one.\n',
  )
  expect(await readdir(cwd)).toEqual([])
  expect((await petstore(['keys', 'create', '--name', 'x', '--create'], {}, { cwd })).code).toBe(0)
  expect(await readdir(join(cwd, 'data'))).toEqual(['production.db'])
})

test('a file that is empty, or a database without tables, is no database either', async () => {
  const folder = await freshFolder()
  const [empty, blank] = [join(folder, 'empty.db'), join(folder, 'blank.db')]
  await writeFile(empty, '')
  const database = new Database(blank)
  database.run('CREATE TABLE x (y)')
  database.run('DROP TABLE x')
  database.close()
  for (const file of [empty, blank]) {
    const before = await Bun.file(file).bytes()
    const { code, stderr } = await petstore(['keys', 'list'], { DATABASE_URL: `sqlite:${file}` })
    expect(code).toBe(3)
    expect(stderr).toContain(`There is no database at ${file}`)
    expect(await Bun.file(file).bytes()).toEqual(before)
  }
  expect((await readdir(folder)).toSorted()).toEqual(['blank.db', 'empty.db'])
})

describe.each(engines.filter(({ name }) => name === 'postgres'))(
  'in an empty database of PostgreSQL',
  engine => {
    test('a command makes no schema and says where it looked, and --create makes it', async () => {
      const DATABASE_URL = await engine.freshDatabaseUrl()
      const tables = () => query(DATABASE_URL, "SELECT FROM pg_tables WHERE schemaname = 'public'")
      for (const command of ['keys list', 'demo --yes']) {
        const { code, stderr } = await petstore(command.split(' '), { DATABASE_URL })
        const { host, pathname } = new URL(DATABASE_URL)
        expect(`${code} ${stderr}`).toStartWith(
          `3 petstore: There is no petstore in postgres://${host}${pathname}`,
        )
      }
      expect(await tables()).toEqual([])
      expect((await petstore(['keys', 'create', '--name', 'x', '--create'], { DATABASE_URL })).code).toBe(0)
      expect((await tables()).length).toBeGreaterThan(3)
    })
  },
)
