import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { freePort, ROOT } from '../scripts/command.ts'
import { KEY, type Workload } from './workloads.ts'

export const PEERS = join(ROOT, 'bench/peers')
const { PATH = '', HOME = '' } = process.env
/** Where Debian's packages install the sources of Go libraries. */
const GO = { GO111MODULE: 'off', GOPATH: '/usr/share/gocode', CGO_ENABLED: '1' }
const START_LIMIT_MS = 20_000
const UNCACHED: readonly Workload[] = ['random-pages', 'random-get']

interface Launch {
  readonly command: readonly string[]
  readonly env?: Readonly<Record<string, string>>
}

export interface Contestant {
  readonly name: string
  readonly title: string
  /** A variant is the service in another setting. */
  readonly kind: 'floor' | 'service' | 'variant' | 'peer'
  /** The workloads that it takes part in. */
  readonly workloads?: readonly Workload[]
  launch(place: Place): Launch | Promise<Launch>
}

/** Its folder holds the database, `bench.db`, from one start to the next. */
export interface Place {
  readonly folder: string
  /** What the floor sends. */
  readonly answersFile: string
  readonly postgresUrl: string
}

interface Running {
  readonly pid: number
  readonly url: string
  stop(): Promise<void>
}

const floor = (name: string, title: string, kind: string): Contestant => ({
  name,
  title,
  kind: 'floor',
  launch: ({ answersFile }) => ({
    command: [process.execPath, join(ROOT, 'bench/floor.ts'), answersFile, kind],
  }),
})

const SERVE = [process.execPath, join(ROOT, 'src/main.ts'), 'serve']

const service = (folder: string, env: Record<string, string> = {}): Launch => ({
  command: SERVE,
  env: {
    DATABASE_URL: `sqlite:${join(folder, 'bench.db')}`,
    PETSTORE_METRICS_PORT: String(freePort()),
    ...env,
  },
})

const peer = (name: string, title: string, ...command: string[]): Contestant => ({
  name,
  title,
  kind: 'peer',
  launch: ({ folder }) => ({
    command,
    env: { NODE_ENV: 'production', DATABASE_FILE: join(folder, 'bench.db') },
  }),
})

/** The first one is what the others are compared with. */
export const CONTESTANTS: readonly Contestant[] = [
  floor('floor', 'bare Bun.serve', 'plain'),
  {
    ...floor('ready-floor', 'bare Bun.serve, answers ready', 'ready'),
    workloads: ['list20', 'get', 'create'],
  },
  { name: 'service', title: 'petstore', kind: 'service', launch: ({ folder }) => service(folder) },
  {
    name: 'postgres',
    title: 'petstore on PostgreSQL',
    kind: 'variant',
    workloads: ['list20', 'get', 'create', 'last-page'],
    launch: async ({ folder, postgresUrl }) =>
      service(folder, { DATABASE_URL: await newDatabase(postgresUrl) }),
  },
  {
    name: 'four',
    title: 'petstore, four processes',
    kind: 'variant',
    workloads: ['list20', 'get', 'create'],
    launch: ({ folder }) => service(folder, { PETSTORE_PROCESSES: '4' }),
  },
  peer('elysia', 'Elysia', process.execPath, join(PEERS, 'elysia.ts')),
  peer('fastify', 'Fastify', 'node', join(PEERS, 'fastify.mjs')),
  peer('express', 'Express', 'node', join(PEERS, 'express.mjs')),
  peer('go', 'Go net/http', join(PEERS, 'go/server')),
]

/** Who runs a workload. Only Fastify and Go, besides the service, are asked for what no cache can answer. */
export function takesPart({ name, kind, workloads }: Contestant, workload: Workload): boolean {
  if (workloads !== undefined) return workloads.includes(workload)
  if (UNCACHED.includes(workload)) return kind !== 'peer' || name === 'fastify' || name === 'go'
  return workload !== 'last-page' || kind !== 'peer'
}

/** Builds the Go peer from its folder and Debian's packages; returns why it cannot be built. */
export function buildGo(): string | undefined {
  if (Bun.which('go') === null) return 'go is not installed'
  // Debian's go-sqlite3 does not include SQLite; it links the system's.
  const { success, stderr } = Bun.spawnSync(['go', 'build', '-tags', 'libsqlite3', '-o', 'server', '.'], {
    cwd: join(PEERS, 'go'),
    env: { PATH, HOME, ...GO },
  })
  return success ? undefined : stderr.toString().trim()
}

/** Starts a contestant as its own process and waits until it can serve. */
export async function start(contestant: Contestant, place: Place): Promise<Running> {
  mkdirSync(place.folder, { recursive: true })
  const { command, env } = await contestant.launch(place)
  const port = String(freePort())
  const log = Bun.file(join(place.folder, 'output'))
  const child = Bun.spawn([...command], {
    cwd: contestant.kind === 'peer' ? PEERS : place.folder,
    env: { PATH, HOME, PORT: port, PETSTORE_API_KEY: KEY, ...env },
    stdio: ['ignore', log, log],
  })
  const url = `http://127.0.0.1:${port}`
  const stop = async () => {
    child.kill()
    await child.exited
  }
  const deadline = performance.now() + START_LIMIT_MS
  while (!(await answers(url))) {
    if (child.exitCode === null && performance.now() < deadline) await Bun.sleep(10)
    else {
      await stop()
      throw new Error(`${contestant.name} did not start:\n${(await log.text()).slice(-2000)}`)
    }
  }
  return { pid: child.pid, url, stop }
}

const answers = (url: string): Promise<boolean> =>
  fetch(`${url}/v1/pets`, { headers: { Authorization: `Bearer ${KEY}` } }).then(
    async response => (await response.arrayBuffer()).byteLength > 0 && response.status < 500,
    () => false,
  )

async function newDatabase(serverUrl: string): Promise<string> {
  const name = `bench_${crypto.randomUUID().replaceAll('-', '')}`
  const client = new pg.Client({ connectionString: serverUrl })
  await client.connect()
  await client.query(`CREATE DATABASE ${name}`)
  await client.end()
  return new URL(`/${name}`, serverUrl).href
}
