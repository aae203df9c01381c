import { join } from 'node:path'
import { ROOT } from '../command.ts'

export const DESCRIPTION = join(ROOT, 'openapi.json')

/** Programs of others, installed in a temporary folder. */
export class Tools {
  readonly folder: string

  constructor(folder: string) {
    this.folder = folder
  }

  readonly run = async (...command: string[]): Promise<string> => {
    const env = { ...process.env, SCARF_ANALYTICS: 'false', DO_NOT_TRACK: '1' }
    const child = Bun.spawn(command, {
      cwd: this.folder,
      env,
      stdio: ['ignore', 'pipe', 'pipe'],
      timeout: 300_000,
    })
    const [out, err, code] = await Promise.all([child.stdout.text(), child.stderr.text(), child.exited])
    if (code !== 0) throw new Error(`${command.join(' ')} ended with ${code}:\n${out}${err}`)
    return out
  }

  readonly path = (name: string): string => join(this.folder, 'node_modules/.bin', name)

  /** Bun runs the tools that need a newer Node. */
  readonly tool = (name: string, ...args: string[]): Promise<string> =>
    this.run(process.execPath, '--bun', this.path(name), ...args)
}
