import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Subprocess } from 'bun'
import { newPostgresFolder, ownByPostgres, USER } from '../../../scripts/postgres.ts'
import { freePort, listens } from '../http/free-port.ts'
import { Output } from '../service/log.ts'
import { eventually } from '../service/process.ts'
import { isRoot, program } from './program.ts'

const CONFIG = join(import.meta.dir, '../../../deploy/pgbouncer.ini')
const PASSWORD = 'password-of-the-pooler'
/** PgBouncer does not run as root either. */
const AS_NOBODY = isRoot ? ['setpriv', '--reuid=65534', '--regid=65534', '--clear-groups'] : []

/** Runs deploy/pgbouncer.ini on its own port, in front of a server; its values can be overridden. */
export class Pgbouncer {
  readonly port: number
  readonly #process: Subprocess
  readonly #output = new Output()

  private constructor(port: number, config: string) {
    this.port = port
    this.#process = Bun.spawn([...AS_NOBODY, program('pgbouncer'), config], {
      cwd: '/',
      stdio: ['ignore', this.#output.file, this.#output.file],
    })
  }

  static async before(serverPort: number, values: Record<string, string> = {}): Promise<Pgbouncer> {
    const folder = newPostgresFolder()
    const port = await freePort()
    const users = join(folder, 'userlist.txt')
    writeFileSync(users, `"${USER}" "${PASSWORD}"\n`)
    const lines = { listen_port: String(port), auth_file: users, ...values }
    let text = replaced(readFileSync(CONFIG, 'utf8'), /^(\* = .* port=)5432$/m, String(serverPort))
    for (const [name, value] of Object.entries(lines))
      text = replaced(text, new RegExp(`^(${name} = ).*$`, 'm'), value)
    const config = join(folder, 'pgbouncer.ini')
    writeFileSync(config, text)
    ownByPostgres(folder)
    const pooler = new Pgbouncer(port, config)
    await eventually('PgBouncer listens', async () => {
      if (pooler.#process.exitCode !== null) throw new Error(`PgBouncer ended: ${pooler.#output.text}`)
      return (await listens(port)) || undefined
    })
    return pooler
  }

  /** The URL of the same database through the pooler. */
  url(databaseUrl: string): string {
    const url = new URL(databaseUrl)
    url.port = String(this.port)
    url.password = PASSWORD
    return url.href
  }

  async stop(): Promise<void> {
    this.#process.kill('SIGKILL')
    await this.#process.exited
  }
}

/** Replaces the value after the part that the pattern captures; the file must have the line. */
function replaced(text: string, line: RegExp, value: string): string {
  if (!line.test(text)) throw new Error(`deploy/pgbouncer.ini has no line ${line}`)
  return text.replace(line, (_, kept: string) => kept + value)
}
