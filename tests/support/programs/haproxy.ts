import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Subprocess } from 'bun'
import { freePort } from '../http/free-port.ts'
import { Output } from '../service/log.ts'
import { eventually } from '../service/process.ts'
import { program } from './program.ts'

const CONFIG = join(import.meta.dir, '../../../deploy/haproxy.cfg')
const PLAIN = /^ {4}bind "\$\{PETSTORE_LISTEN\}"\n/m
const TLS = /# With TLS: (bind .* crt )\S+( .*)\n/
const SERVERS = ['ONE', 'TWO', 'THREE']

/** Copies deploy/haproxy.cfg with its TLS line in place of the plain HTTP one; returns the path. */
export function withTls(folder: string, certificate: string): string {
  const text = readFileSync(CONFIG, 'utf8')
  const [, before = '', behind = ''] = TLS.exec(text) ?? []
  const path = join(folder, 'haproxy.cfg')
  writeFileSync(
    path,
    text.replace(PLAIN, () => `    ${before}${certificate}${behind}\n`),
  )
  return path
}

/** Runs the unchanged deploy/haproxy.cfg on its own ports, in front of instances on these ports. */
export class Haproxy {
  readonly url: string
  readonly #statsUrl: string
  readonly #process: Subprocess
  readonly #complaints = new Output()

  private constructor(port: number, statsPort: number, instances: readonly number[], config: string) {
    this.url = `${config === CONFIG ? 'http' : 'https'}://127.0.0.1:${port}`
    this.#statsUrl = `http://127.0.0.1:${statsPort}/;csv`
    const addresses = instances.map((instance, place) => [
      `PETSTORE_${SERVERS[place]}`,
      `127.0.0.1:${instance}`,
    ])
    this.#process = Bun.spawn([program('haproxy'), '-db', '-f', config], {
      env: {
        ...process.env,
        ...Object.fromEntries(addresses),
        PETSTORE_LISTEN: `127.0.0.1:${port}`,
        PETSTORE_STATS: `127.0.0.1:${statsPort}`,
      },
      stdio: ['ignore', 'ignore', this.#complaints.file],
    })
  }

  static async before(instances: readonly number[], config = CONFIG): Promise<Haproxy> {
    const haproxy = new Haproxy(await freePort(), await freePort(), instances, config)
    await haproxy.allUp()
    return haproxy
  }

  /** Waits until it sends requests to every instance. */
  async allUp(): Promise<void> {
    await eventually('HAProxy sees every instance up', async () => {
      if (this.#process.exitCode !== null) throw new Error(`HAProxy ended: ${this.#complaints.text}`)
      const csv = await fetch(this.#statsUrl).then(
        response => response.text(),
        () => '',
      )
      const states = csv.split('\n').filter(line => /^instances,(?!BACKEND)/.test(line))
      return (
        (states.length === SERVERS.length && states.every(line => line.split(',')[17] === 'UP')) || undefined
      )
    })
  }

  /** The number of client connections, and of requests in progress on an instance. */
  async load(): Promise<{ clients: number; requests: number }> {
    const csv = await (await fetch(this.#statsUrl)).text()
    const current = (row: string): number =>
      Number(
        csv
          .split('\n')
          .find(line => line.startsWith(row))
          ?.split(',')[4],
      )
    return { clients: current('petstore,FRONTEND,'), requests: current('instances,BACKEND,') }
  }

  async stop(): Promise<void> {
    this.#process.kill()
    await this.#process.exited
  }
}
