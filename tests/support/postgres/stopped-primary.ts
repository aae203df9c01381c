import { TcpProxy } from '../http/tcp-proxy.ts'
import { PostgresServer } from './server.ts'

/** A stopped server with an empty database, to copy standbys from, and a link to it that can hang. */
export async function stoppedPrimary() {
  const primary = await PostgresServer.create()
  const database = new URL(await primary.freshDatabaseUrl()).pathname.slice(1)
  await primary.stop()
  return { primary, database, link: await TcpProxy.to(primary.port) }
}
