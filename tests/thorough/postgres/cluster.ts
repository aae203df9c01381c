import { PostgresServer } from '../../support/postgres.ts'
import { eventually } from '../../support/process.ts'
import { TcpProxy } from '../../support/tcp-proxy.ts'

/** A primary, a standby that follows it over a link, and an address that leads to one of them. */
export async function startCluster(replication: 'sync' | 'async') {
  const primary = await PostgresServer.create()
  const database = new URL(await primary.freshDatabaseUrl()).pathname.slice(1)
  await primary.stop()
  const link = await TcpProxy.to(primary.port)
  const standby = await PostgresServer.standbyOf(primary, 'second', link.port)
  if (replication === 'sync') primary.configure({ synchronous_standby_names: 'second' })
  await Promise.all([primary.start(), standby.start()])
  await eventually(`replication is ${replication}`, async () => {
    const [row] = await primary.query<{ sync_state: string }>('SELECT sync_state FROM pg_stat_replication')
    return row?.sync_state === replication || undefined
  })
  const address = await TcpProxy.to(primary.port)
  const databaseUrl = `postgres://postgres@127.0.0.1:${address.port}/${database}`
  const takeOver = async (): Promise<void> => {
    link.close()
    await standby.query('SELECT pg_promote(true, 30)')
    address.leadTo(standby.port)
  }
  const remove = async (): Promise<void> => {
    address.close()
    link.close()
    await Promise.all([primary.remove(), standby.remove()])
  }
  return { primary, standby, link, address, database, databaseUrl, takeOver, remove }
}
