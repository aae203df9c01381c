import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Subprocess } from 'bun'
import { isRoot, program } from '../../tests/support/programs/program.ts'
import { eventually } from '../../tests/support/service/process.ts'
import { childrenOf, isAlive } from '../../tests/support/service/processes.ts'
import { ROOT } from '../command.ts'

const FILES = join(ROOT, 'deploy/patroni')
const SERVERS = '/usr/lib/postgresql'
/** PostgreSQL does not run as root. */
const AS_NOBODY = isRoot ? ['--reuid=65534', '--regid=65534', '--clear-groups'] : []

/** Debian keeps the programs of each PostgreSQL version in a separate folder. */
const newestServer = (): string => join(SERVERS, String(Math.max(...readdirSync(SERVERS).map(Number))), 'bin')

/** One of three machines: etcd, Patroni and PostgreSQL, configured by deploy/patroni, at its own address. */
export class Node {
  readonly name: string
  readonly address: string
  readonly #folder: string
  readonly #environment: Record<string, string>
  #etcd: Subprocess | undefined
  #patroni: Subprocess | undefined

  /** The network has the form `127.1.2.` and replaces deploy's `10.0.0.`. */
  constructor(number: number, network: string, folder: string) {
    this.name = `node${number}`
    this.address = `${network}${number}`
    this.#folder = join(folder, this.name)
    mkdirSync(this.#folder)
    this.#environment = {
      PATH: process.env.PATH ?? '',
      ...variablesOf(readFileSync(join(FILES, 'node.env'), 'utf8'), number, network),
      PATRONI_POSTGRESQL_BIN_DIR: newestServer(),
      PATRONI_POSTGRESQL_DATA_DIR: this.#data,
      PATRONI_POSTGRESQL_PGPASS: join(this.#folder, 'pgpass'),
      ETCD_DATA_DIR: join(this.#folder, 'etcd'),
    }
  }

  get #data(): string {
    return join(this.#folder, 'data')
  }

  startEtcd(): void {
    this.#etcd = this.#spawn('etcd', [program('etcd')])
  }

  startPatroni(): void {
    this.#patroni = this.#spawn('patroni', [program('patroni'), join(FILES, 'patroni.yml')])
  }

  /** Simulates a power cut: `kill -9` of Patroni and every PostgreSQL process. */
  async kill(): Promise<void> {
    const postmaster = this.#postmaster()
    this.#patroni?.kill('SIGKILL')
    // Stop the parent first, so that it starts no more children.
    if (postmaster !== undefined) signal(postmaster, 'SIGSTOP')
    const pids = postmaster === undefined ? [] : [postmaster, ...childrenOf(postmaster)]
    for (const pid of pids) signal(pid, 'SIGKILL')
    await this.#patroni?.exited
    await eventually(`${this.name} is gone`, () => (pids.some(isAlive) ? undefined : true))
  }

  /** Stops the leader's WAL senders: its standbys receive nothing while it keeps running. */
  stopSending(): void {
    const senders = childrenOf(this.#postmaster() ?? 0).filter(isSender)
    if (senders.length === 0) throw new Error(`${this.name} has no standbys`)
    for (const pid of senders) signal(pid, 'SIGSTOP')
  }

  async remove(): Promise<void> {
    await this.kill()
    this.#etcd?.kill('SIGKILL')
    await this.#etcd?.exited
  }

  #postmaster(): number | undefined {
    const file = join(this.#data, 'postmaster.pid')
    const pid = existsSync(file) ? Number.parseInt(readFileSync(file, 'utf8'), 10) : Number.NaN
    return pid > 0 && isAlive(pid) ? pid : undefined
  }

  #spawn(name: string, command: readonly string[]): Subprocess {
    const output = Bun.file(join(this.#folder, `${name}.log`))
    return Bun.spawn(['setpriv', ...AS_NOBODY, '--pdeathsig=KILL', ...command], {
      cwd: this.#folder,
      env: this.#environment,
      stdio: ['ignore', output, output],
    })
  }
}

/** The variables of node 1 in deploy's network, rewritten for another node and network. */
function variablesOf(file: string, number: number, network: string): Record<string, string> {
  const entries = [...file.matchAll(/^([A-Z]\w+)=(.*)$/gm)].map(([, name = '', value = '']) => {
    // A list names all nodes; every other value is about one.
    const own = value.includes(',')
      ? value
      : value.replace('node1', `node${number}`).replace('10.0.0.1', `10.0.0.${number}`)
    return [name, own.replaceAll('10.0.0.', network)]
  })
  return Object.fromEntries(entries)
}

const isSender = (pid: number): boolean => readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('walsender')

/** The process may have just ended. */
function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name)
  } catch (error) {
    if ((error as { code?: string }).code !== 'ESRCH') throw error
  }
}
