import { afterAll, beforeAll, expect, test } from 'bun:test'
import { PostgresServer } from '../../support/postgres.ts'
import { petstore } from '../../support/process.ts'

const USER = 'guarded'
const PASSWORD = 'open-sesame-7531'

let server: PostgresServer
let url: (password: string) => string

beforeAll(async () => {
  server = await PostgresServer.create()
  await server.query(`CREATE ROLE ${USER} SUPERUSER LOGIN PASSWORD '${PASSWORD}'`)
  await server.stop()
  server.askForPassword(USER)
  await server.start()
  url = password => server.url('postgres', `${USER}:${password}`)
})
afterAll(() => server.remove())

const WRONG = 'a-wrong-password-42'
const sentences = [
  ['a wrong password', () => url(WRONG), /password authentication failed/, 1],
  ['an unknown host', () => `postgres://${USER}:${PASSWORD}@nowhere.invalid/x`, /nowhere\.invalid/, 5],
  ['no password', () => server.url('postgres', USER), /asks for a password, and DATABASE_URL has none/, 1],
  ['a password that is a parameter', () => `${server.url()}1?password=${PASSWORD}`, /does not exist/, 3],
] as const

test.each(sentences)(
  'the sentence about %s holds no password',
  async (_what, databaseUrl, expected, exit) => {
    const { code, stdout, stderr } = await petstore(['keys', 'list'], { DATABASE_URL: databaseUrl() })
    expect({ code, stdout }).toEqual({ code: exit, stdout: '' })
    expect(stderr).toMatch(expected)
    expect(stderr).not.toContain(PASSWORD)
    expect(stderr).not.toContain(WRONG)
  },
)
