import { freshDatabaseUrl, PostgresServer } from './server.ts'

let server: Promise<string> | undefined

/** The server shared by all tests that do not harm it: `npm test` starts one and passes its URL. */
async function serverUrl(): Promise<string> {
  server ??= Promise.resolve(process.env.PETSTORE_TEST_POSTGRES_URL || startServer())
  return server
}

/** A test file run alone starts its own server, which ends with the process. */
const startServer = async (): Promise<string> => (await PostgresServer.create()).url()

export const freshPostgresUrl = async (): Promise<string> => freshDatabaseUrl(await serverUrl())
