import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { freePort, listens } from '../../../tests/support/http/free-port.ts'
import { Caddy } from '../../../tests/support/programs/caddy.ts'
import { Haproxy } from '../../../tests/support/programs/haproxy.ts'
import { program } from '../../../tests/support/programs/program.ts'
import { freshFolder } from '../../../tests/support/service/folder.ts'
import { eventually } from '../../../tests/support/service/process.ts'
import { capture } from '../tool.ts'

export interface Proxy {
  readonly url: string
  stop(): Promise<void>
}

/** Each starts in front of a service on a port. */
export const PROXIES: Readonly<
  Record<string, { version(): Promise<string>; before(port: number): Promise<Proxy> }>
> = {
  HAProxy: {
    version: () => versionOf(program('haproxy'), '-v'),
    before: port => Haproxy.before([port, port, port]),
  },
  Caddy: { version: () => versionOf(program('caddy'), 'version'), before: port => Caddy.before(port) },
  nginx: { version: () => versionOf(program('nginx'), '-v'), before: nginx },
}

async function versionOf(...command: string[]): Promise<string> {
  return /\d+\.\d+\.\d+/.exec((await capture(command)).text)?.[0] ?? 'of unknown version'
}

async function nginx(upstream: number): Promise<Proxy> {
  const [port, folder] = [await freePort(), await freshFolder()]
  const config = await Bun.file(join(import.meta.dir, 'nginx.conf')).text()
  await mkdir(join(folder, 'conf'))
  await Bun.write(
    join(folder, 'conf/nginx.conf'),
    config.replace('UPSTREAM', String(upstream)).replace('LISTEN', String(port)),
  )
  const child = Bun.spawn([program('nginx'), '-p', folder, '-c', 'conf/nginx.conf', '-e', 'stderr'], {
    stdio: ['ignore', 'ignore', 'ignore'],
  })
  await eventually('nginx listens', async () => (await listens(port)) || undefined)
  return {
    url: `http://127.0.0.1:${port}`,
    async stop() {
      child.kill()
      await child.exited
    },
  }
}
