import { afterAll } from 'bun:test'
import { randomBytes } from 'node:crypto'
import { freshSqliteUrl } from '../support/folder.ts'
import { PostgresServer } from '../support/postgres.ts'

export type Place = 'sqlite' | 'postgres'

export const DIRECTIONS: readonly (readonly [Place, Place])[] = [
  ['sqlite', 'postgres'],
  ['postgres', 'sqlite'],
  ['sqlite', 'sqlite'],
  ['postgres', 'postgres'],
]

let server: Promise<PostgresServer> | undefined

afterAll(async () => {
  await (await server)?.remove()
})

export function postgresServer(): Promise<PostgresServer> {
  server ??= PostgresServer.create()
  return server
}

/** The DATABASE_URL of a new, empty database. */
export async function freshUrl(place: Place): Promise<string> {
  if (place === 'sqlite') return freshSqliteUrl()
  const postgres = await postgresServer()
  const name = `copy_${randomBytes(6).toString('hex')}`
  await postgres.query(`CREATE DATABASE ${name}`)
  return postgres.url(name)
}
