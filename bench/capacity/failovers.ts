import { say } from '../../scripts/command.ts'
import { Load } from '../../tests/support/load.ts'
import { freshDatabaseUrl, PostgresServer } from '../../tests/support/postgres.ts'
import { eventually, freePort, freshSqliteUrl } from '../../tests/support/process.ts'
import { Haproxy } from '../../tests/support/programs.ts'
import { type ServiceProcess, startProcess } from '../../tests/support/service.ts'
import { startCluster } from '../../tests/thorough/postgres/cluster.ts'
import { PatroniCluster } from '../../tests/thorough/postgres/patroni-cluster.ts'
import { fill } from '../workloads.ts'

/** The longest time without an acknowledged create, and the requests that failed. */
export interface Failover {
  readonly event: string
  readonly seconds: number
  readonly failed: number
}

const CALLERS = 8
/** Animals that must be added before and after. */
const ENOUGH = 200
const MANY = 1_000_000

/** Callers that add animals without pause and note the longest time in which none was acknowledged. */
class Gaps extends Load {
  longestMs = 0
  #last = performance.now()

  protected override async add(name: string, isKeyed: boolean) {
    const asked = await super.add(name, isKeyed)
    if (asked.answer?.status === 201) {
      const now = performance.now()
      this.longestMs = Math.max(this.longestMs, now - this.#last)
      this.#last = now
    }
    return asked
  }

  get failed(): number {
    return this.unavailable + this.unanswered.length + this.unexpected.length
  }

  added(withinMs?: number): Promise<unknown> {
    const enough = this.acknowledged.size + ENOUGH
    return eventually('animals are added', () => this.acknowledged.size > enough || undefined, withinMs)
  }
}

/** Lets something happen under load. */
async function during(event: string, url: () => string, happen: () => Promise<void>): Promise<Failover> {
  const gaps = new Gaps(url, CALLERS)
  await gaps.added()
  const before = gaps.failed
  gaps.longestMs = 0
  await happen()
  await gaps.added(120_000)
  await gaps.stop()
  const found = { event, seconds: gaps.longestMs / 1000, failed: gaps.failed - before }
  say(`${event}: ${found.seconds.toFixed(2)} s, ${found.failed} failed`)
  return found
}

/** One service alone on a million animals in SQLite. */
async function alone(): Promise<Failover[]> {
  const databaseUrl = await freshSqliteUrl()
  const options = { databaseUrl, variables: { PORT: String(freePort()) } }
  let service = await startProcess(options)
  await fill(databaseUrl, MANY)
  const again = async (end: () => Promise<unknown>): Promise<void> => {
    await end()
    service = await startProcess(options)
  }
  const url = () => service.url
  const found = [
    await during('service stopped and started', url, () => again(() => service.stop())),
    await during('service killed and started', url, () => again(() => service.kill())),
  ]
  await service.stop()
  return found
}

/** Three instances behind HAProxy on one PostgreSQL. */
async function behindProxy(): Promise<Failover[]> {
  const server = await PostgresServer.create()
  const databaseUrl = await freshDatabaseUrl(server.url())
  const ports = [freePort(), freePort(), freePort()]
  const startOn = (port: number) => startProcess({ databaseUrl, variables: { PORT: String(port) } })
  const instances = await Promise.all(ports.map(startOn))
  const haproxy = await Haproxy.before(ports)
  const url = () => haproxy.url
  const found = [
    await during('rolling restart of three instances', url, async () => {
      for (const [place, instance] of instances.entries()) {
        instances[place] = await instance.restart()
        await haproxy.allUp()
      }
    }),
    await during('one of three instances killed', url, async () => instances[0]?.kill()),
    await during('PostgreSQL stopped and started', url, async () => {
      await server.stop()
      await server.start()
    }),
    await during('PostgreSQL killed and started', url, async () => {
      await server.crash()
      await server.start()
    }),
  ]
  await Promise.all(instances.map(instance => instance.stop()))
  await haproxy.stop()
  await server.remove()
  return found
}

/** The primary dies, and its synchronous standby is promoted immediately, by hand. */
async function promotion(): Promise<Failover> {
  const cluster = await startCluster('sync')
  const service = await startProcess({ databaseUrl: cluster.databaseUrl })
  const url = () => service.url
  const found = await during('primary killed, standby promoted immediately', url, async () => {
    await cluster.primary.crash()
    await cluster.takeOver()
  })
  await service.stop()
  await cluster.remove()
  return found
}

async function patroni(): Promise<Failover[]> {
  const cluster = new PatroniCluster()
  let service: ServiceProcess | undefined
  try {
    const leader = await cluster.leader()
    const make = () => freshDatabaseUrl(cluster.url).catch(() => undefined)
    service = await startProcess({ databaseUrl: await eventually('a database is made', make) })
    const { url } = service
    const switched = await during(
      'Patroni: switchover',
      () => url,
      () => leader.switchOver(),
    )
    const second = await cluster.leader()
    return [
      switched,
      await during(
        "Patroni: leader's machine dies",
        () => url,
        () => second.kill(),
      ),
    ]
  } finally {
    service?.discard()
    await cluster.remove()
  }
}

export async function measureFailovers(): Promise<Failover[]> {
  return [...(await alone()), ...(await behindProxy()), await promotion(), ...(await patroni())]
}
