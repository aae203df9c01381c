import { join } from 'node:path'
import { freePort, ROOT } from '../scripts/command.ts'
import { KEY } from './workloads.ts'

const PEERS = join(ROOT, 'bench/peers')
/** A release that is maintained, whichever the machine has. */
export const NODE = join(PEERS, 'node_modules/.bin/node')
const { PATH = '', HOME = '' } = process.env
/** Processes of one program run at one of two speeds, depending on the size of their environment. So each start has another size. */
const MAX_PADDING = 4000
/** The Go peer is compiled before its first start. */
const START_LIMIT_MS = 60_000
/** From Debian's packages: their go-sqlite3 does not include SQLite, it links the system's. */
const BUILD_GO =
  'cd go && GO111MODULE=off GOPATH=/usr/share/gocode CGO_ENABLED=1 go build -tags libsqlite3 -o server .'

export interface Contestant {
  readonly name: string
  readonly title: string
  /** A variant is the service in another setting. */
  readonly kind: 'floor' | 'service' | 'variant' | 'peer'
  readonly command: readonly string[]
  readonly env?: Readonly<Record<string, string>>
}

/** Where a contestant keeps its files. */
export interface Place {
  readonly folder: string
  /** `sqlite:<path>` or `postgres://…`. */
  readonly databaseUrl: string
}

export interface Running {
  readonly pid: number
  readonly url: string
  readonly place: Place
  stop(): Promise<void>
}

export const SERVICE: Contestant = {
  name: 'service',
  title: 'petstore',
  kind: 'service',
  command: [process.execPath, join(ROOT, 'src/main.ts'), 'serve'],
}

/** In the order in which they take turns. */
export const CONTESTANTS: readonly Contestant[] = [
  {
    name: 'floor',
    title: 'bare Bun.serve',
    kind: 'floor',
    command: [process.execPath, join(ROOT, 'bench/floor.ts')],
  },
  SERVICE,
  { ...SERVICE, kind: 'variant', name: 'postgres', title: 'petstore on PostgreSQL' },
  {
    ...SERVICE,
    kind: 'variant',
    name: 'four',
    title: 'petstore, four threads',
    env: { PETSTORE_THREADS: '4' },
  },
  { kind: 'peer', name: 'hono', title: 'Hono on Bun', command: [process.execPath, 'hono.mjs'] },
  { kind: 'peer', name: 'fastify', title: 'Fastify', command: [NODE, 'fastify.mjs'] },
  { kind: 'peer', name: 'go', title: 'Go net/http', command: ['sh', '-c', `${BUILD_GO} && exec ./server`] },
]

/** Makes each sync take longer. Nothing else is traced, so the rest runs at full speed. */
export const delayingSyncs = (delayMs: number): string[] =>
  // As the program's grandchild (-D), so that the program remains our child.
  delayMs === 0
    ? []
    : [
        ...'strace -D -f --seccomp-bpf -qq -o /dev/null -e trace=fsync,fdatasync -e'.split(' '),
        `inject=fsync,fdatasync:delay_exit=${delayMs * 1000}`,
      ]

/** Starts a contestant as its own process and waits until it responds to a request for the path. */
export async function start(
  { name, kind, command, env }: Contestant,
  place: Place,
  { args = [] as string[], readyPath = '/v1/pets', syncDelayMs = 0 } = {},
): Promise<Running> {
  const { folder, databaseUrl } = place
  const log = Bun.file(join(folder, 'output'))
  const port = String(freePort())
  const ports = { PORT: port, PETSTORE_METRICS_PORT: String(freePort()) }
  const database = { DATABASE_URL: databaseUrl, DATABASE_FILE: databaseUrl.replace('sqlite:', '') }
  const within = delayingSyncs(syncDelayMs)
  const PAD = 'x'.repeat(Math.floor(Math.random() * (MAX_PADDING + 1)))
  const child = Bun.spawn([...within, ...command, ...args], {
    cwd: kind === 'peer' ? PEERS : folder,
    env: {
      PATH,
      HOME,
      NODE_ENV: 'production',
      PETSTORE_SERVER_API_KEY: KEY,
      PAD,
      ...ports,
      ...database,
      ...env,
    },
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
      throw new Error(`${name} did not start:\n${(await log.text()).slice(-2000)}`)
    }
  }
  return { pid: child.pid, url, place, stop }
}

const answers = (url: string): Promise<boolean> =>
  fetch(url, { headers: { Authorization: `Bearer ${KEY}` } }).then(
    async response => (await response.arrayBuffer()).byteLength > 0 && response.ok,
    () => false,
  )
