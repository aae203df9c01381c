import { chmodSync, chownSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Subprocess } from 'bun'
import { query } from '../../tests/support/postgres/server.ts'
import { isRoot, program } from '../../tests/support/programs/program.ts'
import { eventually } from '../../tests/support/service/process.ts'
import { ROOT } from '../command.ts'
import { Node } from './node.ts'

const HAPROXY = join(ROOT, 'deploy/patroni/haproxy.cfg')
const SLOWLY_MS = 180_000
const PASSWORD = 'change-me'
const FOLLOW = "count(*) FILTER (WHERE state = 'streaming') = 2"
const ANIMALS_BYTES = 50_000

interface Member {
  readonly name: string
  readonly role: string
  readonly state: string
}

/** Three nodes and HAProxy on this machine, from the files in deploy/patroni, in their own loopback network. */
export class Cluster {
  readonly nodes: readonly Node[]
  readonly #folder = mkdtempSync(join(tmpdir(), 'petstore-patroni-'))
  readonly #network = `127.${byte()}.${byte()}.`
  readonly #haproxy: Subprocess

  constructor() {
    // PostgreSQL runs as another user, which must be able to reach and write the folder.
    chmodSync(this.#folder, 0o755)
    this.nodes = [1, 2, 3].map(number => new Node(number, this.#network, this.#folder))
    if (isRoot) for (const { name } of this.nodes) chownSync(join(this.#folder, name), 65534, 65534)
    for (const node of this.nodes) node.startEtcd()
    for (const node of this.nodes) node.startPatroni()
    const [one, two, three] = this.nodes.map(({ address }) => address)
    const log = Bun.file(join(this.#folder, 'haproxy.log'))
    this.#haproxy = Bun.spawn(['setpriv', '--pdeathsig=KILL', program('haproxy'), '-db', '-f', HAPROXY], {
      env: {
        PETSTORE_LISTEN: `${this.#network}10:5432`,
        PETSTORE_ONE: one ?? '',
        PETSTORE_TWO: two ?? '',
        PETSTORE_THREE: three ?? '',
      },
      stdio: ['ignore', log, log],
    })
  }

  /** Through HAProxy, and with all three servers in the URL. */
  urls(database: string): { throughHaproxy: string; ofAll: string } {
    const url = (hosts: string): string => `postgres://postgres:${PASSWORD}@${hosts}/${database}`
    return {
      throughHaproxy: url(`${this.#network}10:5432`),
      ofAll: url(this.nodes.map(({ address }) => `${address}:5432`).join(',')),
    }
  }

  async freshDatabase(): Promise<string> {
    const name = `petstore_${crypto.randomUUID().replaceAll('-', '')}`
    await eventually('a database is made', () =>
      query(this.urls('postgres').throughHaproxy, `CREATE DATABASE ${name}`).catch(() => undefined),
    )
    return name
  }

  async leader(): Promise<Node> {
    return eventually('there is a leader', async () => {
      const name = (await this.#members()).find(({ role }) => role === 'leader')?.name
      return this.nodes.find(node => node.name === name)
    })
  }

  async untilAnotherLeads(last: Node): Promise<void> {
    const look = async (): Promise<true | undefined> => (await this.leader()) !== last || undefined
    await eventually(`another node than ${last.name} leads`, look, SLOWLY_MS)
  }

  /** Waits for a leader with two standbys, one of them synchronous in synchronous mode. */
  async untilWhole(isSynchronous = true): Promise<void> {
    await eventually(
      'three nodes work together',
      async () => {
        const members = await this.#members()
        const roles = members.map(({ role }) => role).toSorted()
        const isWhole =
          roles.join() === `leader,replica,${isSynchronous ? 'sync_standby' : 'replica'}` &&
          members.every(({ state }) => /^(running|streaming)$/.test(state))
        return (isWhole && (await this.#senders(FOLLOW))) || undefined
      },
      SLOWLY_MS,
    )
  }

  async switchOver(): Promise<void> {
    const leader = await this.leader()
    await this.#tell(leader, 'POST', 'switchover', { leader: leader.name })
  }

  /** Makes commits no longer wait for a standby. */
  async becomeAsynchronous(): Promise<void> {
    const off = { synchronous_mode: false, synchronous_mode_strict: false }
    await this.#tell(await this.leader(), 'PATCH', 'config', off)
    await this.untilWhole(false)
  }

  async remove(): Promise<void> {
    this.#haproxy.kill('SIGKILL')
    await Promise.all(this.nodes.map(node => node.remove()))
    rmSync(this.#folder, { recursive: true, force: true })
  }

  /** Waits until the leader has more unsent WAL for its standbys than many animals take. */
  async untilBehind(): Promise<void> {
    const isBehind = `count(*) = 2 AND min(pg_wal_lsn_diff(pg_current_wal_lsn(), sent_lsn)) > ${ANIMALS_BYTES}`
    await eventually('the standbys are behind', async () => (await this.#senders(isBehind)) || undefined)
  }

  /** Evaluates a condition over the leader's WAL senders. */
  async #senders(condition: string): Promise<boolean> {
    const sql = `SELECT ${condition} AS holds FROM pg_stat_replication`
    const rows = await query<{ holds: boolean }>(this.urls('postgres').throughHaproxy, sql).catch(() => [])
    return rows[0]?.holds === true
  }

  /** The members as seen by any node that answers. */
  async #members(): Promise<Member[]> {
    for (const { address } of this.nodes) {
      const answer = await fetch(`http://${address}:8008/cluster`).catch(() => undefined)
      if (answer?.ok) return ((await answer.json()) as { members: Member[] }).members
    }
    return []
  }

  async #tell(node: Node, method: string, path: string, body: object): Promise<void> {
    const answer = await fetch(`http://${node.address}:8008/${path}`, {
      method,
      headers: { Authorization: `Basic ${btoa(`patroni:${PASSWORD}`)}` },
      body: JSON.stringify(body),
    })
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`)
  }
}

const byte = (): number => 1 + Math.floor(Math.random() * 250)
