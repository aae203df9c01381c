import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Subprocess } from 'bun'
import { newPostgresFolder } from '../../tests/support/postgres-programs.ts'
import { childrenOf, eventually, isAlive } from '../../tests/support/process.ts'
import { DEPLOY, isRoot, program } from '../../tests/support/programs.ts'

const FILES = join(DEPLOY, 'patroni')
const SERVERS = '/usr/lib/postgresql'
const STARTS_WITHIN_MS = 180_000
/** PostgreSQL does not run as root. */
const AS_NOBODY = isRoot ? ['--reuid=65534', '--regid=65534', '--clear-groups'] : []

/** One machine: etcd, Patroni and PostgreSQL with the files of deploy/patroni, at their usual ports of its own address. */
class Machine {
  readonly address: string
  readonly #environment: Record<string, string>
  readonly #folder = newPostgresFolder()
  readonly #etcd: Subprocess
  readonly #patroni: Subprocess

  /** The network is like `127.1.2.` and replaces deploy's `10.0.0.`. */
  constructor(number: number, network: string) {
    this.address = network + number
    const config = readFileSync(join(FILES, 'patroni.yml'), 'utf8')
    // It would reset the machine that runs this.
    writeFileSync(join(this.#folder, 'patroni.yml'), config.replace('mode: required', 'mode: off'))
    const lines = [...readFileSync(join(FILES, 'node.env'), 'utf8').matchAll(/^(\w+)=(.*)$/gm)]
    const variables = lines.map(([, name = '', value = '']) => {
      // A list names all machines; every other value is about the first.
      const own = value.includes(',') ? value : value.replace(/(node|10\.0\.0\.)1/, `$1${number}`)
      return [name, own.replaceAll('10.0.0.', network)]
    })
    // Debian has a folder for each version of PostgreSQL.
    const version = Math.max(...readdirSync(SERVERS).map(Number))
    this.#environment = {
      ...Object.fromEntries(variables),
      PATH: process.env.PATH ?? '',
      HOME: this.#folder,
      PATRONI_POSTGRESQL_BIN_DIR: join(SERVERS, String(version), 'bin'),
      PATRONI_POSTGRESQL_DATA_DIR: join(this.#folder, 'data'),
      ETCD_DATA_DIR: join(this.#folder, 'etcd'),
    }
    this.#etcd = this.#run('etcd')
    this.#patroni = this.#run('patroni', 'patroni.yml')
  }

  /** Makes the synchronous standby the leader in place of this machine. */
  async switchOver(): Promise<void> {
    const { PATRONI_NAME: name = '' } = this.#environment
    const args = ['-c', 'patroni.yml', 'switchover', 'petstore', '--leader', name, '--force']
    if ((await this.#run('patronictl', ...args).exited) !== 0) throw new Error('patronictl failed')
  }

  /** Like a power cut: `kill -9` of all its processes. */
  async kill(): Promise<void> {
    const children = [this.#etcd, this.#patroni]
    for (const child of children) child.kill('SIGKILL')
    const postmaster = this.#postmaster()
    if (isAlive(postmaster)) {
      // First, so that it starts no more children.
      process.kill(postmaster, 'SIGSTOP')
      const pids = [...childrenOf(postmaster), postmaster]
      for (const pid of pids.filter(isAlive)) process.kill(pid, 'SIGKILL')
      await eventually('PostgreSQL is gone', () => (pids.some(isAlive) ? undefined : true))
    }
    await Promise.all(children.map(({ exited }) => exited))
  }

  #postmaster(): number {
    const file = join(this.#folder, 'data/postmaster.pid')
    return existsSync(file) ? Number.parseInt(readFileSync(file, 'utf8'), 10) : 0
  }

  async remove(): Promise<void> {
    await this.kill()
    rmSync(this.#folder, { recursive: true, force: true })
  }

  #run(name: string, ...args: string[]): Subprocess {
    const output = Bun.file(join(this.#folder, `${name}.log`))
    return Bun.spawn(['setpriv', ...AS_NOBODY, '--pdeathsig=KILL', program(name), ...args], {
      cwd: this.#folder,
      env: this.#environment,
      stdio: ['ignore', output, output],
    })
  }
}

/** Three machines and HAProxy from deploy/patroni, in a loopback network of their own. */
export class PatroniCluster {
  readonly url: string
  readonly #machines: readonly Machine[]
  readonly #haproxy: Subprocess

  constructor() {
    const byte = () => 1 + Math.floor(Math.random() * 250)
    const network = `127.${byte()}.${byte()}.`
    this.url = `postgres://postgres:change-me@${network}10:5432/postgres`
    this.#machines = [1, 2, 3].map(number => new Machine(number, network))
    const [PETSTORE_ONE, PETSTORE_TWO, PETSTORE_THREE] = this.#machines.map(({ address }) => address)
    this.#haproxy = Bun.spawn([program('haproxy'), '-db', '-f', join(FILES, 'haproxy.cfg')], {
      env: { PETSTORE_LISTEN: `${network}10:5432`, PETSTORE_ONE, PETSTORE_TWO, PETSTORE_THREE },
      stdio: ['ignore', 'ignore', 'ignore'],
    })
  }

  /** The leader, once it has a synchronous standby and a replica. */
  leader(): Promise<Machine> {
    const look = async () => {
      const answer = await fetch(`http://${this.#machines[0]?.address}:8008/cluster`).catch(() => undefined)
      if (!answer?.ok) return undefined
      const { members } = (await answer.json()) as { members: { role: string; host: string }[] }
      const roles = members.map(({ role }) => role).toSorted()
      if (roles.join() !== 'leader,replica,sync_standby') return undefined
      const host = members.find(({ role }) => role === 'leader')?.host
      return this.#machines.find(({ address }) => address === host)
    }
    return eventually('three machines work together', look, STARTS_WITHIN_MS)
  }

  async remove(): Promise<void> {
    this.#haproxy.kill('SIGKILL')
    await Promise.all([this.#haproxy.exited, ...this.#machines.map(machine => machine.remove())])
  }
}
