import { join } from 'node:path'
import { PostgresServer } from '../../tests/support/postgres/server.ts'
import { freshFolder, freshSqliteUrl } from '../../tests/support/service/folder.ts'
import { startInstances } from '../../tests/support/service/instances.ts'
import { API_KEY, type Service } from '../../tests/support/service/service.ts'
import { capture, say } from '../command.ts'
import { cpuSeconds } from './cpu-seconds.ts'

/**
 * `bun scripts/test/measure-scaling.ts [seconds]`: the figures of docs/explanation/scaling.md. The processor time per
 * request says more than the rate, since wrk, the service and PostgreSQL share this machine.
 */
const SECONDS = Number(process.argv[2] ?? 5)
const ANIMALS = 1000

interface Case {
  readonly name: string
  readonly path: string
  readonly connections: number
  readonly creates?: boolean
}

const CASES: readonly Case[] = [
  { name: 'list, a page with followers', path: '/v1/pets', connections: 64 },
  { name: 'get, an animal asked for before', path: '/v1/pets/1', connections: 64 },
  { name: 'list, the last page', path: '/v1/pets?status=sold', connections: 64 },
  ...[1, 16, 64, 256].map(connections => ({
    name: `create, ${connections} callers`,
    path: '/v1/pets',
    connections,
    creates: true,
  })),
]

const script = join(await freshFolder(), 'create.lua')
await Bun.write(
  script,
  `wrk.method = "POST"\nwrk.body = '{"name":"Rex","categoryId":7}'\nwrk.headers["Content-Type"] = "application/json"\n`,
)

async function wrk(url: string, { connections, creates }: Case) {
  const load = ['-t', '1', '-c', String(connections), '-d', `${SECONDS}s`, '--latency', '--timeout', '10s']
  const { text } = await capture(
    ...['wrk', ...load, '-H', `Authorization: Bearer ${API_KEY}`, ...(creates ? ['-s', script] : []), url],
  )
  const field = (pattern: RegExp): string => pattern.exec(text)?.[1] ?? '0'
  return {
    requests: Number(field(/(\d+) requests in/)),
    rate: Math.round(Number(field(/Requests\/sec:\s+([\d.]+)/))),
    median: field(/50%\s+(\S+)/),
    p99: field(/99%\s+(\S+)/),
    failed: Number(field(/Non-2xx or 3xx responses: (\d+)/)),
  }
}

async function measure(
  engine: string,
  instances: readonly Service[],
  postgres: PostgresServer | undefined,
  one: Case,
): Promise<void> {
  const services = instances.map(({ process }) => process.pid)
  const commits = async () => (postgres === undefined ? 0 : await transactions(postgres))
  const before = [cpuSeconds(services), cpuSeconds(postgres?.pids ?? []), await commits()] as const
  const results = await Promise.all(
    instances.map(({ url }) =>
      wrk(url + one.path, { ...one, connections: one.connections / instances.length }),
    ),
  )
  const requests = results.reduce((sum, result) => sum + result.requests, 0)
  const perRequest = (seconds: number): string => `${((seconds * 1e6) / requests).toFixed(1)} µs`
  const row = [
    engine,
    instances.length,
    one.name,
    results.reduce((sum, { rate }) => sum + rate, 0),
    results[0]?.median,
    results[0]?.p99,
    perRequest(cpuSeconds(services) - before[0]),
    postgres === undefined ? '' : perRequest(cpuSeconds(postgres.pids) - before[1]),
    one.creates && postgres ? (requests / ((await commits()) - before[2] - 1)).toFixed(1) : '',
    results.reduce((sum, { failed }) => sum + failed, 0),
  ]
  say(`| ${row.join(' | ')} |`)
}

/** Writing transactions so far: each takes the next number, and so does this query. */
async function transactions(postgres: PostgresServer): Promise<number> {
  const [row] = await postgres.query<{ xid: string }>('SELECT pg_current_xact_id()::text AS xid')
  return Number(row?.xid)
}

async function fill(service: Service): Promise<void> {
  for (let n = 0; n < ANIMALS; n += 50)
    await Promise.all(Array.from({ length: 50 }, () => service.post('{"name":"Rex","categoryId":7}')))
  for (let n = 0; n < 10; n++) await service.post('{"name":"Rex","categoryId":7,"status":"sold"}')
}

const columns =
  'engine | instances | request | per second | median | p99 | service CPU each | PostgreSQL CPU each | animals a commit | failed'
say(`| ${columns} |\n|${'---|'.repeat(columns.split('|').length)}`)

const postgres = await PostgresServer.create()
const runs = [
  ['SQLite', 1, freshSqliteUrl, undefined, CASES],
  ['PostgreSQL', 1, () => postgres.freshDatabaseUrl(), postgres, CASES],
  [
    'PostgreSQL',
    2,
    () => postgres.freshDatabaseUrl(),
    postgres,
    CASES.filter(({ connections }) => connections >= 64),
  ],
] as const
for (const [engine, count, freshUrl, server, cases] of runs) {
  const instances = await startInstances(count, { databaseUrl: await freshUrl() })
  await fill(instances[0] as Service)
  for (const one of cases) await measure(engine, instances, server, one)
  await Promise.all(instances.map(instance => instance.stop()))
}
await postgres.remove()
