import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import type { Subprocess } from 'bun'
import { newPostgresFolder } from '../../support/postgres-programs.ts'
import { childrenOf, eventually, isAlive } from '../../support/process.ts'
import { DEPLOY, isRoot, program } from '../../support/programs.ts'

const FILES = join(DEPLOY, 'patroni')
const SERVERS = '/usr/lib/postgresql'
const STARTS_WITHIN_MS = 180_000
/** PostgreSQL does not run as root. */
const AS_NOBODY = isRoot ? ['--reuid=65534', '--regid=65534', '--clear-groups'] : []

/** Statements of `_update_leader` in dcs/etcd3.py, up to 3.0.2: they take the leader key even if another node has it. */
const UNCONDITIONAL =
  /try:\s+self\._run_and_handle_exceptions\(self\._client\.put, .*\s+self\._name.*\s+except ReturnFalseException:\s+pass/
/** Like 3.0.3: the key must be this node's own, or not exist. */
const CONDITIONAL = `
                mine = {'key': base64_encode(self.leader_path), 'value': base64_encode(self._name)}
                return bool(
                    self._run_and_handle_exceptions(
                        self._client.txn, dict(mine, target='VALUE'),
                        {'request_put': dict(mine, lease=self._lease)}, retry=_retry)
                    or self._run_and_handle_exceptions(
                        self._client.put, self.leader_path, self._name, self._lease, '0', retry=_retry))`.trim()

/** A folder for PYTHONPATH with a copy of the installed Patroni, whose update of the leader key is made conditional if it is not. */
function safePatroni(): string {
  const folder = newPostgresFolder()
  const find = 'import patroni; print(patroni.__path__[0])'
  const installed = spawnSync('/usr/bin/python3', ['-c', find], { encoding: 'utf8' }).stdout.trim()
  cpSync(installed, join(folder, basename(installed)), { recursive: true })
  const file = join(folder, 'patroni/dcs/etcd3.py')
  const text = readFileSync(file, 'utf8')
  const isUnsafe = text.includes('except ReturnFalseException')
  if (isUnsafe && !UNCONDITIONAL.test(text)) throw new Error('This Patroni is neither safe nor known.')
  writeFileSync(file, text.replace(UNCONDITIONAL, CONDITIONAL))
  return folder
}

/** One machine: etcd, Patroni and PostgreSQL with the files of deploy/patroni, at their usual ports of its own address. */
export class Machine {
  readonly address: string
  readonly #environment: Record<string, string>
  readonly #folder = newPostgresFolder()
  readonly #etcd: Subprocess
  readonly #patroni: Subprocess

  /** The network is like `127.1.2.` and replaces deploy's `10.0.0.`. */
  constructor(number: number, network: string, python: string | undefined) {
    this.address = network + number
    const config = readFileSync(join(FILES, 'patroni.yml'), 'utf8')
    // It would reset the machine that runs the test.
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
      ...(python !== undefined && { PYTHONPATH: python }),
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

  /** Whether Patroni says that this machine has the role. */
  async has(role: 'primary' | 'replica'): Promise<boolean> {
    const signal = AbortSignal.timeout(1000)
    const answer = await fetch(`http://${this.address}:8008/${role}`, { signal }).catch(() => undefined)
    return answer?.ok ?? false
  }

  /**
   * Stops Patroni only, as an overloaded machine may; PostgreSQL and etcd run on. The worst moment is in the middle of its loop, when
   * it has read who leads, and asks PostgreSQL for its position before it renews the leader key.
   */
  async pausePatroni(): Promise<void> {
    const { pid } = this.#patroni
    const waits = () => /^voluntary.*$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[0]
    // Those of Patroni, because the service uses another database.
    const commandOf = (process: number) => readFileSync(`/proc/${process}/cmdline`, 'utf8')
    const backends = childrenOf(this.#postmaster()).filter(id =>
      commandOf(id).includes(' postgres postgres '),
    )
    const before = waits()
    let last = before
    for (const backend of backends) process.kill(backend, 'SIGSTOP')
    await eventually('Patroni waits for PostgreSQL', () => {
      const [earlier, now] = [last, waits()]
      last = now
      return (now !== before && now === earlier) || undefined
    })
    this.#patroni.kill('SIGSTOP')
    for (const backend of backends) process.kill(backend, 'SIGCONT')
  }

  resumePatroni(): void {
    this.#patroni.kill('SIGCONT')
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
  readonly #python: string | undefined
  readonly #haproxy: Subprocess

  /** With PETSTORE_TEST_PATRONI=installed, Patroni runs as it is installed: a version before 3.0.3 then fails the tests. */
  constructor() {
    const byte = () => 1 + Math.floor(Math.random() * 250)
    const network = `127.${byte()}.${byte()}.`
    this.url = `postgres://postgres:change-me@${network}10:5432/postgres`
    this.#python = process.env.PETSTORE_TEST_PATRONI === 'installed' ? undefined : safePatroni()
    this.#machines = [1, 2, 3].map(number => new Machine(number, network, this.#python))
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

  /** The machine that leads in place of another. */
  successorOf(former: Machine, withinMs: number): Promise<Machine> {
    const others = this.#machines.filter(machine => machine !== former)
    const look = async () => {
      const leads = await Promise.all(others.map(machine => machine.has('primary')))
      return others[leads.indexOf(true)]
    }
    return eventually('another machine leads', look, withinMs)
  }

  async remove(): Promise<void> {
    this.#haproxy.kill('SIGKILL')
    await Promise.all([this.#haproxy.exited, ...this.#machines.map(machine => machine.remove())])
    if (this.#python !== undefined) rmSync(this.#python, { recursive: true, force: true })
  }
}
