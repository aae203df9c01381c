import { existsSync, mkdirSync, rmdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { PostgresServer } from '../../tests/support/postgres/server.ts'
import { freshFolder, freshSqliteUrl } from '../../tests/support/service/folder.ts'
import { childrenOf } from '../../tests/support/service/processes.ts'
import { API_KEY, type Service, startService } from '../../tests/support/service/service.ts'
import { capture, say } from '../command.ts'

/**
 * `bun scripts/test/measure-processes.ts [rounds] [share]`, as root on Linux: the effect of PETSTORE_PROCESSES. Each
 * process may use only a share of a core, so that neither wrk nor the machine is the limit. One process and several take
 * turns, and only neighbours are compared, because a shared machine can become twice as fast from one minute to the next.
 */
const ROUNDS = Number(process.argv[2] ?? 9)
const SHARE = Number(process.argv[3] ?? 0.15)
const ROUND_SECONDS = 2
const WARM_SECONDS = 2
const PERIOD_US = 40_000
const SEVERAL = 4
const CASES = [
  { name: 'list, a page with followers', path: '/v1/pets', creates: false },
  { name: 'get, an animal asked for before', path: '/v1/pets/1', creates: false },
  { name: 'list, the last page', path: '/v1/pets?status=sold', creates: false },
  { name: 'create', path: '/v1/pets', creates: true },
]

type Case = (typeof CASES)[number]

/** Control groups of version 1 or 2, all with a higher weight than other work on this machine. */
class Groups implements Disposable {
  readonly #made: string[] = []

  /** Without a share, the group's processes may use all the time they can get. */
  make(name: string, share?: number): string {
    const isOld = existsSync('/sys/fs/cgroup/cpu')
    const group = join(isOld ? '/sys/fs/cgroup/cpu' : '/sys/fs/cgroup', `petstore-measure-${name}`)
    mkdirSync(group)
    this.#made.push(group)
    const set = (file: string, value: number | string): void =>
      writeFileSync(join(group, file), String(value))
    if (isOld) set('cpu.shares', 20_480)
    else set('cpu.weight', 2000)
    if (share === undefined) return group
    const quota = Math.round(PERIOD_US * share)
    if (isOld) {
      set('cpu.cfs_period_us', PERIOD_US)
      set('cpu.cfs_quota_us', quota)
    } else set('cpu.max', `${quota} ${PERIOD_US}`)
    return group
  }

  /** A group can be removed once its processes have ended. */
  [Symbol.dispose](): void {
    for (const group of this.#made) rmdirSync(group)
  }
}

const script = join(await freshFolder(), 'create.lua')
await Bun.write(
  script,
  `wrk.method = "POST"\nwrk.body = '{"name":"Rex","categoryId":7}'\nwrk.headers["Content-Type"] = "application/json"\n`,
)

async function rateOf(
  { url }: Service,
  { path, creates }: Case,
  { seconds, group }: { seconds: number; group: string },
): Promise<number> {
  const wrk = ['wrk', '-t', '1', '-c', '256', '-d', `${seconds}s`, '--timeout', '10s']
  const request = ['-H', `Authorization: Bearer ${API_KEY}`, ...(creates ? ['-s', script] : []), url + path]
  const inGroup = ['sh', '-c', 'echo $$ > "$0" && exec "$@"', join(group, 'cgroup.procs')]
  const { text } = await capture(...inGroup, ...wrk, ...request)
  const failed = /(Non-2xx or 3xx responses: \d+|Socket errors:.*)/.exec(text)?.[1]
  if (failed !== undefined) say(`  ${failed}`)
  return Number(/Requests\/sec:\s+([\d.]+)/.exec(text)?.[1])
}

/** A warm service whose processes are each limited to their share. */
async function limited(
  databaseUrl: string,
  processes: number,
  groups: Groups,
  callers: string,
): Promise<Service> {
  const service = await startService({ databaseUrl, variables: { PETSTORE_PROCESSES: String(processes) } })
  for (let n = 0; n < 30; n++) await service.post('{"name":"Rex","categoryId":7}')
  // The warm-up is unlimited: within a share, compiling hot code would take long.
  for (const one of CASES) await rateOf(service, one, { seconds: WARM_SECONDS, group: callers })
  for (const pid of processes === 1 ? [service.process.pid] : childrenOf(service.process.pid))
    writeFileSync(join(groups.make(String(pid), SHARE), 'cgroup.procs'), String(pid))
  return service
}

/** How many times the rate of one process several have, in each round. */
async function compare(one: Service, several: Service, what: Case, group: string): Promise<number[]> {
  const times: number[] = []
  for (let round = 0; round < ROUNDS; round++) {
    const rates = new Map<Service, number>()
    for (const service of round % 2 === 0 ? [one, several] : [several, one])
      rates.set(service, await rateOf(service, what, { seconds: ROUND_SECONDS, group }))
    times.push((rates.get(several) as number) / (rates.get(one) as number))
  }
  return times.sort((a, b) => a - b)
}

const postgres = await PostgresServer.create()
const databases = [
  ['SQLite', freshSqliteUrl],
  ['PostgreSQL', () => postgres.freshDatabaseUrl()],
] as const
say(`Each process may use ${SHARE} of a core; ${ROUNDS} rounds of ${ROUND_SECONDS} s.`)
say(`| Engine | Request | ${SEVERAL} processes, times the rate of one: median (least, greatest) |`)
for (const [engine, fresh] of databases) {
  using groups = new Groups()
  const callers = groups.make('callers')
  const one = await limited(await fresh(), 1, groups, callers)
  const several = await limited(await fresh(), SEVERAL, groups, callers)
  for (const what of CASES) {
    const times = await compare(one, several, what, callers)
    const [least, median, greatest] = [0, ROUNDS >> 1, ROUNDS - 1].map(at => times[at]?.toFixed(2))
    say(`| ${engine} | ${what.name} | ${median} (${least}, ${greatest}) |`)
  }
  for (const service of [one, several]) await service.stop()
}
await postgres.remove()
