import { freshDatabaseUrl, PostgresServer } from './server.ts'

let server: Promise<string> | undefined

/** The server that all tests share which do it no harm: `npm test` starts one and names it here. */
async function serverUrl(): Promise<string> {
  server ??= Promise.resolve(process.env.PETSTORE_TEST_POSTGRES_URL || startServer())
  return server
}

/** A test file run by itself brings its own, which ends with the process. */
const startServer = async (): Promise<string> => (await PostgresServer.create()).url()

export const freshPostgresUrl = async (): Promise<string> => freshDatabaseUrl(await serverUrl())
