import { join } from 'node:path'
import { ROOT, say } from '../command.ts'

export const DESCRIPTION = join(ROOT, 'openapi.json')

/** A project with packages of others. */
export class Project {
  readonly folder: string

  constructor(folder: string) {
    this.folder = folder
  }

  /** Installs packages by exact version. No program of theirs needs its install script. */
  async install(manifest: object): Promise<void> {
    await Bun.write(join(this.folder, 'package.json'), JSON.stringify(manifest))
    await this.run('npm', 'install', '--ignore-scripts', '--no-audit', '--no-fund')
  }

  path(name: string): string {
    return join(this.folder, 'node_modules/.bin', name)
  }

  readonly run = async (...command: string[]): Promise<void> => {
    const PATH = `${this.path('')}:${process.env.PATH}`
    const child = Bun.spawn(command, {
      cwd: this.folder,
      env: { ...process.env, PATH, SCARF_ANALYTICS: 'false', DO_NOT_TRACK: '1' },
      stdio: ['ignore', 'pipe', 'pipe'],
      timeout: 300_000,
    })
    const [out, err, code] = await Promise.all([child.stdout.text(), child.stderr.text(), child.exited])
    if (code !== 0) throw new Error(`${command.join(' ')} ended with ${code}:\n${out}${err}`)
  }
}

/** Says how a step ended. The others follow even if it failed. */
export async function step(name: string, work: () => Promise<unknown>): Promise<void> {
  try {
    const result = await work()
    say(typeof result === 'string' ? `✓ ${name}: ${result}` : `✓ ${name}`)
  } catch (error) {
    process.exitCode = 1
    say(`✗ ${name}: ${error instanceof Error ? error.message : error}`)
  }
}
