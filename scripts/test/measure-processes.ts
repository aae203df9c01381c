import { existsSync, mkdirSync, rmdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { PostgresServer } from '../../tests/support/postgres/server.ts'
import { freshFolder, freshSqliteUrl } from '../../tests/support/service/folder.ts'
import { childrenOf } from '../../tests/support/service/processes.ts'
import { API_KEY, type Service, startService } from '../../tests/support/service/service.ts'
import { capture, say } from '../command.ts'

/**
 * `bun scripts/test/measure-processes.ts [seconds] [share]`, as root on Linux: the effect of PETSTORE_PROCESSES. Each
 * process may use only a share of a core, so that neither wrk nor the machine is the limit.
 */
const SECONDS = Number(process.argv[2] ?? 6)
const SHARE = Number(process.argv[3] ?? 0.05)
const WARM_SECONDS = 2
const PERIOD_US = 40_000
const PROCESSES = [1, 4]
const CASES = [
  { name: 'list, a page with followers', path: '/v1/pets', creates: false },
  { name: 'get, an animal asked for before', path: '/v1/pets/1', creates: false },
  { name: 'list, the last page', path: '/v1/pets?status=sold', creates: false },
  { name: 'create', path: '/v1/pets', creates: true },
]

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
  { path, creates }: (typeof CASES)[number],
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

async function measure(databaseUrl: string, processes: number): Promise<number[]> {
  const service = await startService({ databaseUrl, variables: { PETSTORE_PROCESSES: String(processes) } })
  using groups = new Groups()
  const callers = groups.make('callers')
  for (let n = 0; n < 30; n++) await service.post('{"name":"Rex","categoryId":7}')
  // The warm-up is unlimited: within a share, compiling hot code would take long.
  for (const one of CASES) await rateOf(service, one, { seconds: WARM_SECONDS, group: callers })
  for (const pid of processes === 1 ? [service.process.pid] : childrenOf(service.process.pid))
    writeFileSync(join(groups.make(String(pid), SHARE), 'cgroup.procs'), String(pid))
  const rates: number[] = []
  for (const one of CASES) rates.push(await rateOf(service, one, { seconds: SECONDS, group: callers }))
  await service.stop()
  return rates
}

const postgres = await PostgresServer.create()
const databases = [
  ['SQLite', freshSqliteUrl],
  ['PostgreSQL', () => postgres.freshDatabaseUrl()],
] as const
say(`Each process may use ${SHARE} of a core.\n| Engine | Request | ${PROCESSES.join(' | ')} | Times |`)
for (const [engine, fresh] of databases) {
  const rates: number[][] = []
  for (const processes of PROCESSES) rates.push(await measure(await fresh(), processes))
  for (const [index, { name }] of CASES.entries()) {
    const [one, several] = rates.map(all => all[index] as number) as [number, number]
    say(`| ${engine} | ${name} | ${one.toFixed(0)} | ${several.toFixed(0)} | ${(several / one).toFixed(2)} |`)
  }
}
await postgres.remove()
