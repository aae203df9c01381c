import { describe, expect, test } from 'bun:test'
import { readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { freePort } from '../../support/http/free-port.ts'
import { query } from '../../support/postgres/server.ts'
import { petstore } from '../../support/service/cli.ts'
import { engines } from '../../support/service/engines.ts'
import { freshFolder } from '../../support/service/folder.ts'

/** Every command that opens a database and must not create one. FILE is a file of animals. */
const COMMANDS = [
  ['keys', 'list'],
  ['keys', 'create', '--name', 'x'],
  ['keys', 'revoke', 'x'],
  ['deprecations'],
  ['pets', 'import', 'FILE', '--yes'],
  ['pets', 'export'],
  ['backup', 'b.db'],
  ['doctor'],
]
/** A selection that covers every way to open a database. */
const ON_A_SERVER = [
  ['keys', 'create', '--name', 'x'],
  ['pets', 'import', 'FILE', '--yes'],
  ['pets', 'export'],
  ['doctor'],
]
const WITH_CREATE = [
  ['keys', 'create', '--name', 'x', '--create'],
  ['pets', 'import', 'FILE', '--yes', '--create'],
]

async function animalsFile(): Promise<string> {
  const file = join(await freshFolder(), 'animals.ndjson')
  await writeFile(file, '{"name":"Rex","categoryId":7}\n')
  return file
}

const withFile = (command: readonly string[], file: string): string[] =>
  command.map(word => (word === 'FILE' ? file : word))

describe('in a folder without a database', () => {
  test.each(COMMANDS.map(command => [command.join(' '), command] as const))(
    'petstore %s makes none, says where it looked and what to do, and fails',
    async (_name, command) => {
      const folder = await freshFolder()
      const { code, stdout, stderr } = await petstore(
        withFile(command, await animalsFile()),
        { PORT: String(await freePort()) },
        { cwd: folder },
      )
      expect(code).toBe(command[0] === 'doctor' ? 1 : 3)
      const said = stdout + stderr
      expect(said).toContain(`There is no database at ${join(folder, 'data/production.db')}`)
      expect(said).toContain('--database-url')
      expect(await readdir(folder)).toEqual([])
    },
  )

  test.each(WITH_CREATE.map(command => [command.join(' '), command] as const))(
    'petstore %s makes one',
    async (_name, command) => {
      const folder = await freshFolder()
      const { code, stderr } = await petstore(withFile(command, await animalsFile()), {}, { cwd: folder })
      expect({ code, stderr }).toMatchObject({ code: 0 })
      expect(await readdir(join(folder, 'data'))).toEqual(['production.db'])
    },
  )

  test('the refusal of a command that can make one names the flag', async () => {
    for (const command of [COMMANDS[1], COMMANDS[4]] as string[][]) {
      const { stderr } = await petstore(
        withFile(command, await animalsFile()),
        {},
        { cwd: await freshFolder() },
      )
      expect(stderr).toContain('--create')
    }
  })

  test('a file that is empty, or a database without tables, is no database either', async () => {
    for (const bytes of [new Uint8Array(), await emptySqliteFile()]) {
      const folder = await freshFolder()
      const file = join(folder, 'animals.db')
      await writeFile(file, bytes)
      const { code, stderr } = await petstore(['keys', 'list'], { DATABASE_URL: `sqlite:${file}` })
      expect(code).toBe(3)
      expect(stderr).toContain(`There is no database at ${file}`)
      expect(await readdir(folder)).toEqual(['animals.db'])
      expect(Buffer.from(await Bun.file(file).bytes()).equals(bytes)).toBe(true)
    }
  })

  test('petstore copy does not make its source', async () => {
    const folder = await freshFolder()
    const { code, stderr } = await petstore(
      ['copy', '--from', 'sqlite:from.db', '--to', 'sqlite:to.db'],
      {},
      { cwd: folder },
    )
    expect(code).toBe(3)
    expect(stderr).toContain(`There is no database at ${join(folder, 'from.db')}`)
    expect(await readdir(folder)).toEqual([])
  })
})

/** The file that SQLite writes for a new database without contents. */
async function emptySqliteFile(): Promise<Uint8Array> {
  const { Database } = await import('bun:sqlite')
  const file = join(await freshFolder(), 'empty.db')
  const database = new Database(file)
  database.run('CREATE TABLE x (y)')
  database.run('DROP TABLE x')
  database.close()
  return Bun.file(file).bytes()
}

describe.each(engines.filter(({ name }) => name === 'postgres').map(engine => [engine] as const))(
  'in an empty database on a server',
  engine => {
    const tablesIn = (url: string) =>
      query<{ tablename: string }>(url, "SELECT tablename FROM pg_tables WHERE schemaname = 'public'")

    test.each(ON_A_SERVER.map(command => [command.join(' '), command] as const))(
      'petstore %s makes no schema, says where it looked and what to do, and fails',
      async (_name, command) => {
        const databaseUrl = await engine.freshDatabaseUrl()
        const { code, stdout, stderr } = await petstore(
          withFile(command, await animalsFile()),
          { DATABASE_URL: databaseUrl, PORT: String(await freePort()) },
          { cwd: await freshFolder() },
        )
        expect(code).toBe(command[0] === 'doctor' ? 1 : 3)
        const { host, pathname } = new URL(databaseUrl)
        expect(stdout + stderr).toContain(`There is no petstore in postgres://${host}${pathname}`)
        expect(await tablesIn(databaseUrl)).toEqual([])
      },
    )

    test.each(WITH_CREATE.map(command => [command.join(' '), command] as const))(
      'petstore %s makes it',
      async (_name, command) => {
        const databaseUrl = await engine.freshDatabaseUrl()
        const ran = await petstore(withFile(command, await animalsFile()), { DATABASE_URL: databaseUrl })
        expect(ran.code).toBe(0)
        expect((await tablesIn(databaseUrl)).length).toBeGreaterThan(3)
      },
    )
  },
)
