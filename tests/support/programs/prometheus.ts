import { spawnSync } from 'node:child_process'
import { cpSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Subprocess } from 'bun'
import { freePort } from '../http/free-port.ts'
import { freshFolder } from '../service/folder.ts'
import { Output } from '../service/log.ts'
import { eventually } from '../service/process.ts'
import { program } from './program.ts'

export const DEPLOY = join(import.meta.dir, '../../../deploy')
const TARGET = '127.0.0.1:9464'
const EVERY = 'interval: 15s'

export interface Series {
  readonly metric: Readonly<Record<string, string>>
  readonly value: readonly [time: number, value: string]
}

interface Answer<Data> {
  readonly status: 'success' | 'error'
  readonly error?: string
  readonly data: Data
}

/** A real Prometheus with deploy/prometheus.yml and deploy/alerts.yml; only its targets and intervals differ. */
export class Prometheus {
  readonly #url: string
  readonly #process: Subprocess
  readonly #complaints = new Output()

  private constructor(folder: string, port: number) {
    this.#url = `http://127.0.0.1:${port}/api/v1`
    const flags = {
      'config.file': join(folder, 'prometheus.yml'),
      'storage.tsdb.path': join(folder, 'data'),
      'web.listen-address': `127.0.0.1:${port}`,
    }
    this.#process = Bun.spawn(
      [program('prometheus'), ...Object.entries(flags).map(([name, value]) => `--${name}=${value}`)],
      { stdio: ['ignore', 'ignore', this.#complaints.file] },
    )
  }

  static async scraping(metricsUrl: string): Promise<Prometheus> {
    const folder = await freshFolder()
    const given = await readFile(join(DEPLOY, 'prometheus.yml'), 'utf8')
    if (!given.includes(TARGET) || !given.includes(EVERY))
      throw new Error('deploy/prometheus.yml has changed')
    const changed = given.replace(TARGET, new URL(metricsUrl).host).replaceAll(EVERY, 'interval: 1s')
    await writeFile(join(folder, 'prometheus.yml'), changed)
    cpSync(join(DEPLOY, 'alerts.yml'), join(folder, 'alerts.yml'))
    const prometheus = new Prometheus(folder, await freePort())
    await prometheus.#sees('up == 1')
    return prometheus
  }

  /** The current value of an expression. */
  async query(expression: string): Promise<readonly Series[]> {
    const { result } = await this.#get<{ result: Series[] }>(`query?query=${encodeURIComponent(expression)}`)
    return result
  }

  /** The loaded rules by name, with their health at the last evaluation. */
  async rules(): Promise<readonly { readonly name: string; readonly health: string }[]> {
    const { groups } = await this.#get<{ groups: { rules: { name: string; health: string }[] }[] }>('rules')
    return groups.flatMap(({ rules }) => rules)
  }

  async stop(): Promise<void> {
    this.#process.kill()
    await this.#process.exited
  }

  async #sees(expression: string): Promise<void> {
    await eventually(`Prometheus sees ${expression}`, async () => {
      if (this.#process.exitCode !== null) throw new Error(`Prometheus ended: ${this.#complaints.text}`)
      const found = await this.query(expression).catch(() => [])
      return found.length > 0 || undefined
    })
  }

  async #get<Data>(path: string): Promise<Data> {
    const answer = (await (await fetch(`${this.#url}/${path}`)).json()) as Answer<Data>
    if (answer.status !== 'success') throw new Error(`Prometheus refuses ${path}: ${answer.error}`)
    return answer.data
  }
}

/** Runs promtool; returns its exit code and output. */
export function promtool(args: readonly string[], options: { cwd?: string; input?: string } = {}) {
  const { status, stdout, stderr } = spawnSync(program('promtool'), args, {
    encoding: 'utf8',
    ...options,
  })
  return { code: status, text: stdout + stderr }
}
