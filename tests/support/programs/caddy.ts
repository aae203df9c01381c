import { join } from 'node:path'
import type { Subprocess } from 'bun'
import { freePort, listens } from '../http/free-port.ts'
import { freshFolder } from '../service/folder.ts'
import { eventually } from '../service/process.ts'
import { program } from './program.ts'

const CONFIG = join(import.meta.dir, '../../../deploy/Caddyfile')

/** Runs the unchanged deploy/Caddyfile on its own port, in front of a service on this port. */
export class Caddy {
  readonly url: string
  readonly #process: Subprocess

  private constructor(site: number, port: number, folder: string) {
    this.url = `http://127.0.0.1:${site}`
    this.#process = Bun.spawn([program('caddy'), 'run', '--config', CONFIG, '--adapter', 'caddyfile'], {
      env: {
        ...process.env,
        PETSTORE_SITE: this.url,
        PETSTORE_ADDRESS: `127.0.0.1:${port}`,
        HOME: folder,
        XDG_CONFIG_HOME: folder,
        XDG_DATA_HOME: folder,
      },
      stdio: ['ignore', 'ignore', 'ignore'],
    })
  }

  static async before(port: number): Promise<Caddy> {
    const site = await freePort()
    const caddy = new Caddy(site, port, await freshFolder())
    await eventually('Caddy listens', async () => (await listens(site)) || undefined)
    return caddy
  }

  async stop(): Promise<void> {
    this.#process.kill()
    await this.#process.exited
  }
}
