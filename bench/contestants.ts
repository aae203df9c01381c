import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { freePort, ROOT } from '../scripts/command.ts'
import { KEY } from './workloads.ts'

export const PEERS = join(ROOT, 'bench/peers')
const { PATH = '', HOME = '' } = process.env
/** Where Debian's packages install the sources of Go libraries. */
const GO = { GO111MODULE: 'off', GOPATH: '/usr/share/gocode', CGO_ENABLED: '1' }
const START_LIMIT_MS = 20_000

/** Where a contestant keeps its files. */
export interface Place {
  readonly folder: string
  /** `sqlite:<path>` or `postgres://…`. */
  readonly databaseUrl: string
}

interface Launch {
  readonly command: readonly string[]
  readonly env?: Readonly<Record<string, string>>
}

export interface Contestant {
  readonly name: string
  readonly title: string
  /** A variant is the service in another setting. */
  readonly kind: 'floor' | 'service' | 'variant' | 'peer'
  launch(place: Place): Launch
}

export interface Running {
  readonly pid: number
  readonly url: string
  readonly place: Place
  stop(): Promise<void>
}

const service = ({ databaseUrl }: Place, env: Record<string, string> = {}): Launch => ({
  command: [process.execPath, join(ROOT, 'src/main.ts'), 'serve'],
  env: { DATABASE_URL: databaseUrl, PETSTORE_METRICS_PORT: String(freePort()), ...env },
})

const peer = (name: string, title: string, ...command: string[]): Contestant => ({
  name,
  title,
  kind: 'peer',
  launch: ({ databaseUrl }) => ({
    command,
    env: { NODE_ENV: 'production', DATABASE_FILE: databaseUrl.slice('sqlite:'.length) },
  }),
})

export const SERVICE: Contestant = {
  name: 'service',
  title: 'petstore',
  kind: 'service',
  launch: place => service(place),
}

/** In the order in which they take turns; those that are compared most are neighbours. */
export const CONTESTANTS: readonly Contestant[] = [
  {
    name: 'floor',
    title: 'bare Bun.serve',
    kind: 'floor',
    launch: ({ folder }) => ({
      command: [process.execPath, join(ROOT, 'bench/floor.ts'), answersFile(folder)],
    }),
  },
  SERVICE,
  { ...SERVICE, name: 'postgres', title: 'petstore on PostgreSQL', kind: 'variant' },
  {
    name: 'four',
    title: 'petstore, four processes',
    kind: 'variant',
    launch: place => service(place, { PETSTORE_PROCESSES: '4' }),
  },
  peer('elysia', 'Elysia', process.execPath, join(PEERS, 'elysia.ts')),
  peer('fastify', 'Fastify', 'node', join(PEERS, 'fastify.mjs')),
  peer('express', 'Express', 'node', join(PEERS, 'express.mjs')),
  peer('go', 'Go net/http', join(PEERS, 'go/server')),
]

/** What the floor sends. */
export const answersFile = (folder: string): string => join(folder, 'answers.json')

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

/** Makes each sync take longer. Nothing else is traced, so the rest runs at full speed. */
const delayingSyncs = (delayMs: number): string[] => [
  // As the program's grandchild (-D), so that the program remains our child.
  ...'strace -D -f --seccomp-bpf -qq -o /dev/null -e trace=fsync,fdatasync -e'.split(' '),
  `inject=fsync,fdatasync:delay_exit=${delayMs * 1000}`,
]

/** Starts a contestant as its own process and waits until it answers a request for the path. */
export async function start(
  contestant: Contestant,
  place: Place,
  { readyPath = '/v1/pets', syncDelayMs = 0 } = {},
): Promise<Running> {
  mkdirSync(place.folder, { recursive: true })
  const { command, env } = contestant.launch(place)
  const port = String(freePort())
  const log = Bun.file(join(place.folder, 'output'))
  const child = Bun.spawn([...(syncDelayMs > 0 ? delayingSyncs(syncDelayMs) : []), ...command], {
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
  while (!(await answers(url + readyPath))) {
    if (child.exitCode === null && performance.now() < deadline) await Bun.sleep(10)
    else {
      await stop()
      throw new Error(`${contestant.name} did not start:\n${(await log.text()).slice(-2000)}`)
    }
  }
  return { pid: child.pid, url, place, stop }
}

const answers = (url: string): Promise<boolean> =>
  fetch(url, { headers: { Authorization: `Bearer ${KEY}` } }).then(
    async response => (await response.arrayBuffer()).byteLength > 0 && response.ok,
    () => false,
  )
