import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ROOT } from './command.ts'

export const API_KEY = 'scripts-key-0123456789'

export interface Served {
  readonly url: string
  stop(): Promise<void>
}

/** Starts `petstore serve` on a free port, by default on an empty SQLite database, and waits until it listens. */
export async function serve(variables: Readonly<Record<string, string>> = {}): Promise<Served> {
  const folder = mkdtempSync(join(tmpdir(), 'petstore-serve-'))
  const log = Bun.file(join(folder, 'log'))
  const { PATH = '', HOME = '' } = process.env
  const child = Bun.spawn([process.execPath, join(ROOT, 'src/main.ts'), 'serve'], {
    cwd: folder,
    env: { PATH, HOME, PORT: '0', PETSTORE_API_KEY: API_KEY, ...variables },
    stdio: ['ignore', log, 'inherit'],
  })
  for (;;) {
    const line = (await log.text()).split('\n').find(line => line.includes('"event":"listening"'))
    if (line !== undefined)
      return {
        url: String((JSON.parse(line) as { url: unknown }).url),
        stop: async () => {
          child.kill()
          if ((await child.exited) !== 0) throw new Error(`The service ended with ${child.exitCode}.`)
        },
      }
    if (child.exitCode !== null)
      throw new Error(`The service ended with ${child.exitCode} before it listened.`)
    await Bun.sleep(10)
  }
}
