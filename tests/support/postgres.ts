import { appendFileSync, cpSync, writeFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import pg from 'pg'
import * as programs from './postgres-programs.ts'
import { childrenOf, eventually, freePort, isAlive, listens, Output } from './process.ts'

/** A real PostgreSQL server in its own folder, whose processes a test may kill or freeze. */
export class PostgresServer {
  readonly data: string
  readonly port: number
  #process: Bun.Subprocess | undefined
  #output = new Output()
  #within: readonly string[] = []

  private constructor(port: number) {
    this.data = join(programs.newPostgresFolder(), 'data')
    this.port = port
  }

  static async create(settings: Record<string, string> = {}, within: readonly string[] = []) {
    const server = new PostgresServer(await freePort())
    server.#within = within
    programs.createCluster(server.data)
    server.configure({
      listen_addresses: '127.0.0.1',
      unix_socket_directories: '',
      max_connections: '200',
      // In its own folder, because a server that is killed leaves its shared memory behind.
      dynamic_shared_memory_type: 'mmap',
      ...settings,
    })
    await server.start()
    return server
  }

  /** A copy of a stopped server that follows it through a port, once both run. */
  static async standbyOf(primary: PostgresServer, name: string, primaryPort: number) {
    const standby = new PostgresServer(await freePort())
    cpSync(primary.data, standby.data, { recursive: true, preserveTimestamps: true })
    writeFileSync(join(standby.data, 'standby.signal'), '')
    programs.ownByPostgres(standby.data)
    standby.configure({
      primary_conninfo: `host=127.0.0.1 port=${primaryPort} user=${programs.USER} application_name=${name}`,
      synchronous_standby_names: '',
    })
    return standby
  }

  url(database = 'postgres', user = programs.USER): string {
    return `postgres://${user}@127.0.0.1:${this.port}/${database}`
  }

  /** Later settings override earlier ones. */
  configure(settings: Record<string, string>): void {
    const lines = Object.entries(settings).map(([name, value]) => `${name} = '${value}'\n`)
    appendFileSync(join(this.data, 'postgresql.auto.conf'), lines.join(''))
  }

  async start(): Promise<void> {
    const [program, args] = programs.postgresCommand('postgres', '-D', this.data, '-p', String(this.port))
    this.#output = new Output()
    const stdio: ['ignore', 'ignore', Bun.BunFile] = ['ignore', 'ignore', this.#output.file]
    this.#process = Bun.spawn([...this.#within, program, ...args], { stdio, cwd: '/' })
    await eventually(`PostgreSQL in ${this.data} answers`, async () => (await this.#answers()) || undefined)
  }

  async stop(): Promise<void> {
    await this.#end(child => child.kill('SIGINT'))
  }

  async crash(): Promise<void> {
    let pids: number[] = []
    await this.#end(() => {
      pids = this.#signalAll('SIGKILL')
    })
    // The last one holds the shared memory, and until it is gone no other server can start here.
    await eventually('all processes are gone', () => (pids.some(isAlive) ? undefined : true))
  }

  /** The server hangs: it keeps its connections and answers nothing. */
  freeze(): void {
    this.#signalAll('SIGSTOP')
  }

  thaw(): void {
    this.#signalAll('SIGCONT')
  }

  async remove(): Promise<void> {
    await this.crash()
    await rm(dirname(this.data), { recursive: true, force: true })
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.remove()
  }

  async untilFollowed(): Promise<void> {
    await eventually('the standby has caught up', async () => {
      const [row] = await this.query<{ caught_up: boolean }>(
        'SELECT replay_lsn >= pg_current_wal_lsn() AS caught_up FROM pg_stat_replication',
      )
      return row?.caught_up || undefined
    })
  }

  async query<Row extends pg.QueryResultRow>(sql: string): Promise<Row[]> {
    return query<Row>(this.url(), sql)
  }

  async freshDatabaseUrl(): Promise<string> {
    return freshDatabaseUrl(this.url())
  }

  async #end(tell: (child: Bun.Subprocess) => void): Promise<void> {
    const child = this.#process
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return
    tell(child)
    await child.exited
    await eventually('the port is free', async () => ((await listens(this.port)) ? undefined : true))
  }

  /** Stops the parent first, so that it starts no more children meanwhile. Returns all pids. */
  #signalAll(signal: 'SIGKILL' | 'SIGSTOP' | 'SIGCONT'): number[] {
    const parent = this.#process?.pid
    if (parent === undefined) throw new Error('The server does not run')
    process.kill(parent, 'SIGSTOP')
    const pids = [parent, ...childrenOf(parent)]
    for (const pid of pids)
      try {
        process.kill(pid, signal)
      } catch {
        // It has just ended.
      }
    return pids
  }

  async #answers(): Promise<boolean> {
    if (this.#process?.exitCode !== null || this.#process.signalCode !== null)
      throw new Error(`PostgreSQL in ${this.data} did not start: ${this.#output.text}`)
    return this.query('SELECT 1').then(
      () => true,
      () => false,
    )
  }
}

export async function query<Row extends pg.QueryResultRow>(url: string, sql: string): Promise<Row[]> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 10_000 })
  client.on('error', () => {})
  try {
    await client.connect()
    return (await client.query<Row>(sql)).rows
  } finally {
    await client.end().catch(() => {})
  }
}

export async function freshDatabaseUrl(serverUrl: string): Promise<string> {
  const name = `petstore_${crypto.randomUUID().replaceAll('-', '')}`
  await query(serverUrl, `CREATE DATABASE ${name}`)
  return Object.assign(new URL(serverUrl), { pathname: name }).href
}

/** Another session in a transaction, which ends when `end` is called, or with the block. */
export async function holding(url: string, sql: string) {
  const holder = new pg.Client({ connectionString: url })
  await holder.connect()
  await holder.query(`BEGIN; ${sql}`)
  const end = () => holder.end()
  return { holder, end, [Symbol.asyncDispose]: end }
}

/** What holds up those who add animals. */
export const ADD_LOCK = "SELECT pg_advisory_xact_lock(1346720852, 'pets'::regclass::oid::integer)"

/** The sessions of a database that wait for a lock, or a result for each of them. */
export const waiting = (url: string, result = '') =>
  query(
    url,
    `SELECT ${result} FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()`,
  )

export const someoneWaits = (url: string): Promise<true> =>
  eventually('someone waits for a lock', async () => (await waiting(url)).length > 0 || undefined)

const TRIGGERS = {
  before: ['TRIGGER', 'BEFORE INSERT', ''],
  'at commit': ['CONSTRAINT TRIGGER', 'AFTER INSERT OR UPDATE', 'DEFERRABLE INITIALLY DEFERRED'],
}

/** Does something for each new row of a table before it is stored, or for changed ones too at the commit, until the end of the block. */
export async function onInsert(url: string, table: string, moment: keyof typeof TRIGGERS, statement: string) {
  const [kind, time, deferral] = TRIGGERS[moment]
  const sql = `CREATE FUNCTION on_${table}() RETURNS trigger LANGUAGE plpgsql AS
     $$ BEGIN ${statement}; RETURN NEW; END $$;
   CREATE ${kind} on_insert ${time} ON ${table} ${deferral} FOR EACH ROW EXECUTE FUNCTION on_${table}()`
  await query(url, sql)
  return { [Symbol.asyncDispose]: () => query(url, `DROP FUNCTION on_${table} CASCADE`).then(() => {}) }
}

let shared: Promise<string> | undefined

/** A new database on the server that all tests share which do not harm it: the runner's, or one for a file run alone. */
export async function freshPostgresUrl(): Promise<string> {
  shared ??= process.env.PETSTORE_TEST_POSTGRES_URL
    ? Promise.resolve(process.env.PETSTORE_TEST_POSTGRES_URL)
    : PostgresServer.create().then(server => server.url())
  return freshDatabaseUrl(await shared)
}
