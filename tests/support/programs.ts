import * as runner from 'bun:test'
import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { appendFileSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { CompleteResponse } from './http.ts'
import { newPostgresFolder, ownByPostgres, USER } from './postgres-programs.ts'
import { eventually, freePort, listens, Output } from './process.ts'

export const DEPLOY = join(import.meta.dir, '../../deploy')

/** Names that differ from system to system; the preferred one first. */
const NAMES: Readonly<Record<string, readonly string[]>> = {
  chromium: ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome-stable'],
  firefox: ['firefox-esr', 'firefox'],
}
/** An ordinary user's PATH often lacks the sbin folders. */
const PATH = `${process.env.PATH}:/usr/local/sbin:/usr/sbin:/sbin`

const isRoot = process.getuid?.() === 0

function find(name: string): string | undefined {
  if (name === 'chromium' && process.env.CHROMIUM_PATH) return process.env.CHROMIUM_PATH
  return (
    (NAMES[name] ?? [name]).map(called => Bun.which(called, { PATH })).find(path => path !== null) ??
    undefined
  )
}

export function program(name: string): string {
  const path = find(name)
  if (path === undefined) throw new Error(`${name} is missing. CONTRIBUTING.md says how to install it.`)
  return path
}

export type Suite = Pick<
  typeof runner,
  'describe' | 'test' | 'beforeAll' | 'afterAll' | 'beforeEach' | 'afterEach'
>

/**
 * The functions of `bun:test` for tests that need these programs, `root`, or the right to mount file systems (`mounting`). Without
 * them, the tests are skipped, the hooks do not run, and `npm run test:thorough` names what is missing. With `strace`, tests may
 * trace what they start; to trace another process takes `root` too.
 */
export function needs(...wanted: readonly string[]): Suite {
  const missing = wanted.map(missingFor).filter(each => each !== undefined)
  if (missing.length === 0) return runner
  const { PETSTORE_TEST_MISSING: list } = process.env
  if (list) appendFileSync(list, missing.map(need => `${need}\n`).join(''))
  const hook = () => {}
  const hooks = { beforeAll: hook, afterAll: hook, beforeEach: hook, afterEach: hook }
  return { describe: runner.describe.skip, test: runner.test.skip, ...hooks }
}

function missingFor(need: string): string | undefined {
  const succeeds = (...[command, ...args]: [string, ...string[]]): boolean =>
    spawnSync(command, args, { stdio: 'ignore' }).status === 0
  if (need === 'root') return isRoot ? undefined : need
  // Root in a container may not be allowed to mount. The mount namespace leaves nothing behind.
  const mounting = ['unshare', '--mount', 'mount', '-t', 'tmpfs', 'tmpfs', '/mnt'] as const
  if (need === 'mounting') return isRoot && succeeds(...mounting) ? undefined : need
  const path = find(need)
  if (path === undefined) return need
  // A kernel or a container may forbid to trace even a child. Other processes need root.
  return need !== 'strace' || succeeds(path, '-f', '-o', '/dev/null', 'true') ? undefined : 'tracing'
}

export class Beside {
  readonly #output = new Output()
  readonly #process: Bun.Subprocess

  constructor(command: readonly string[], variables: Record<string, string> = {}) {
    this.#process = Bun.spawn([...command], {
      cwd: '/',
      env: { ...process.env, ...variables },
      stdio: ['ignore', 'ignore', this.#output.file],
    })
  }

  get text(): string {
    return this.#output.text
  }

  /** Waits for it; fails if it ends meanwhile. */
  async until(what: string, isTrue: () => Promise<boolean>): Promise<void> {
    await eventually(what, async () => {
      if (this.#process.exitCode !== null) throw new Error(`It ended: ${this.#output.text}`)
      return (await isTrue().catch(() => false)) || undefined
    })
  }

  async stop(): Promise<void> {
    this.#process.kill('SIGKILL')
    await this.#process.exited
  }
}

export const HAPROXY = join(DEPLOY, 'haproxy.cfg')

/** Runs the unchanged deploy/haproxy.cfg on its own ports, in front of three instances on these ports. */
export class Haproxy extends Beside {
  readonly url: string
  readonly #statsPort: number

  private constructor(port: number, statsPort: number, [one, two, three]: readonly number[], config: string) {
    super(['sh', '-c', 'exec "$@" >&2', 'sh', program('haproxy'), '-db', '-f', config], {
      PETSTORE_ONE: `127.0.0.1:${one}`,
      PETSTORE_TWO: `127.0.0.1:${two}`,
      PETSTORE_THREE: `127.0.0.1:${three}`,
      PETSTORE_LISTEN: `127.0.0.1:${port}`,
      PETSTORE_STATS: `127.0.0.1:${statsPort}`,
    })
    this.url = `${config === HAPROXY ? 'http' : 'https'}://127.0.0.1:${port}`
    this.#statsPort = statsPort
  }

  static async before(instances: readonly number[], config = HAPROXY): Promise<Haproxy> {
    const haproxy = new Haproxy(await freePort(), await freePort(), instances, config)
    await haproxy.allUp()
    return haproxy
  }

  allUp(): Promise<void> {
    return this.until('HAProxy sees every instance up', async () => {
      const servers = (await this.#rows()).filter(row => row[0] === 'instances' && row[1] !== 'BACKEND')
      return servers.length === 3 && servers.every(row => row[17] === 'UP')
    })
  }

  /** The number of client connections, and of requests in progress on an instance. */
  async load(): Promise<{ clients: number; requests: number }> {
    const rows = await this.#rows()
    const current = (name: string, side: string): number =>
      Number(rows.find(row => row[0] === name && row[1] === side)?.[4])
    return { clients: current('petstore', 'FRONTEND'), requests: current('instances', 'BACKEND') }
  }

  async #rows(): Promise<string[][]> {
    const csv = await (await fetch(`http://127.0.0.1:${this.#statsPort}/;csv`)).text()
    return csv.split('\n').map(line => line.split(','))
  }
}

/** An instance that is ready, and loses the response to every other request. */
export async function losingInstance() {
  const server = createServer((request, response) => {
    if (request.url === '/readyz') return void response.end()
    if (request.method === 'POST') losing.creates++
    request.socket.destroy()
  })
  const losing = { port: freePort(), creates: 0, [Symbol.dispose]: () => void server.close() }
  await once(server.listen(losing.port, '127.0.0.1'), 'listening')
  return losing
}

/** Status and code of an error that a proxy made itself, in the shape of the service's. */
export async function failureOfProxy(asked: Promise<Response>): Promise<string> {
  const { status, headers, error, failure } = await asked.then(CompleteResponse.from)
  runner.expect([headers.get('content-type'), headers.get('retry-after')]).toEqual(['application/json', '1'])
  runner.expect(error).toEqual({ code: error.code, message: runner.expect.any(String), status })
  return failure
}

/** Runs deploy/pgbouncer.ini on its own port, in front of a server; its values can be overridden. */
export class Pgbouncer extends Beside {
  readonly port: number

  private constructor(port: number, config: string) {
    // Like PostgreSQL, it does not run as root.
    const asNobody = isRoot ? ['setpriv', '--reuid=65534', '--regid=65534', '--clear-groups'] : []
    super([...asNobody, program('pgbouncer'), config])
    this.port = port
  }

  static async before(serverPort: number, values: Record<string, string> = {}): Promise<Pgbouncer> {
    const [folder, port] = [newPostgresFolder(), await freePort()]
    const users = join(folder, 'userlist.txt')
    writeFileSync(users, `"${USER}" "${PASSWORD}"\n`)
    const lines = { listen_port: String(port), auth_file: users, ...values }
    let text = readFileSync(join(DEPLOY, 'pgbouncer.ini'), 'utf8')
    const replace = (line: RegExp, value: string): void => {
      if (!line.test(text)) throw new Error(`deploy/pgbouncer.ini has no line ${line}`)
      text = text.replace(line, (_, kept: string) => kept + value)
    }
    replace(/^(\* = .* port=)5432$/m, String(serverPort))
    for (const [name, value] of Object.entries(lines)) replace(new RegExp(`^(${name} = ).*$`, 'm'), value)
    const config = join(folder, 'pgbouncer.ini')
    writeFileSync(config, text)
    ownByPostgres(folder)
    const pooler = new Pgbouncer(port, config)
    await pooler.until('PgBouncer listens', () => listens(port))
    return pooler
  }

  url(databaseUrl: string): string {
    return Object.assign(new URL(databaseUrl), { port: String(this.port), password: PASSWORD }).href
  }
}

const PASSWORD = 'password-of-the-pooler'
