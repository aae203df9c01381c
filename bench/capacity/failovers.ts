import { Load } from '../../tests/support/load.ts'
import { freshDatabaseUrl, PostgresServer } from '../../tests/support/postgres.ts'
import { eventually, freePort, freshSqliteUrl } from '../../tests/support/process.ts'
import { Haproxy } from '../../tests/support/programs.ts'
import { startProcess } from '../../tests/support/service.ts'
import { fill } from '../workloads.ts'
import { type Effort, sayRow } from './figures.ts'
import { PatroniCluster } from './patroni-cluster.ts'

type Event = readonly [title: string, happen: () => Promise<unknown>]

const CALLERS = 8
/** Animals that must be added before and after an event. */
const ENOUGH = 200
const LOOK_MS = 5

/** Lets events happen while callers add animals: the longest time without a 201, and the requests that failed. */
async function under(url: () => string, ...events: readonly Event[]): Promise<void> {
  for (const [title, happen] of events) {
    const load = new Load(url, CALLERS)
    const addEnough = (): Promise<unknown> => {
      const enough = load.acknowledged.size + ENOUGH
      return eventually('animals are added', () => load.acknowledged.size > enough || undefined, 120_000)
    }
    await addEnough()
    const last = { count: 0, at: performance.now() }
    let longestMs = 0
    const watch = setInterval(() => {
      const [count, now] = [load.acknowledged.size, performance.now()]
      longestMs = Math.max(longestMs, now - last.at)
      if (count > last.count) Object.assign(last, { count, at: now })
    }, LOOK_MS)
    await happen()
    await addEnough()
    clearInterval(watch)
    await load.stop()
    const failed = load.unavailable + load.unanswered.length + load.unexpected.length
    sayRow(title, (longestMs / 1000).toFixed(2), failed)
  }
}

/** One service alone on a million animals in SQLite. */
async function alone(million: number): Promise<void> {
  const databaseUrl = await freshSqliteUrl()
  let service = await startProcess({ databaseUrl, variables: { PORT: String(freePort()) } })
  await fill(databaseUrl, million)
  const restart = async (): Promise<void> => {
    service = await service.restart()
  }
  await under(
    () => service.url,
    ['Service stopped and started', restart],
    ['Service killed and started', () => service.kill().then(restart)],
  )
  await service.stop()
}

/** Three instances behind HAProxy on one PostgreSQL. */
async function behindProxy(): Promise<void> {
  await using server = await PostgresServer.create()
  const databaseUrl = await freshDatabaseUrl(server.url())
  const ports = [freePort(), freePort(), freePort()]
  const startOn = (port: number) => startProcess({ databaseUrl, variables: { PORT: String(port) } })
  const instances = await Promise.all(ports.map(startOn))
  const haproxy = await Haproxy.before(ports)
  const restartAll = async (): Promise<void> => {
    for (const [place, instance] of instances.entries()) {
      instances[place] = await instance.restart()
      await haproxy.allUp()
    }
  }
  await under(
    () => haproxy.url,
    ['Rolling restart of three instances', restartAll],
    ['One of three instances killed', async () => instances[0]?.kill()],
    ['PostgreSQL stopped and started', () => server.stop().then(() => server.start())],
    ['PostgreSQL killed and started', () => server.crash().then(() => server.start())],
  )
  await Promise.all([haproxy, ...instances].map(each => each.stop()))
}

async function patroni(): Promise<void> {
  const cluster = new PatroniCluster()
  await cluster.leader()
  const make = () => freshDatabaseUrl(cluster.url).catch(() => undefined)
  using service = await startProcess({ databaseUrl: await eventually('a database is made', make) })
  await under(
    () => service.url,
    ['`patronictl switchover`', async () => (await cluster.leader()).switchOver()],
    ["Machine of Patroni's leader dies", async () => (await cluster.leader()).kill()],
  ).finally(() => cluster.remove())
}

export async function measureFailovers({ million }: Effort): Promise<void> {
  sayRow('Event', 'Seconds without a 201', 'Requests that failed')
  await alone(million)
  await behindProxy()
  await patroni()
}
