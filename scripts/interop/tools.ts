import { join } from 'node:path'
import { mustIn, say } from '../command.ts'

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

  readonly run = (...command: string[]) => mustIn(this.folder, command)
}

/** Says how a step ended. The others follow even if it failed. */
export async function step(name: string, work: () => Promise<unknown>): Promise<void> {
  try {
    await work()
    say(`✓ ${name}`)
  } catch (error) {
    process.exitCode = 1
    say(`✗ ${name}: ${error instanceof Error ? error.message : error}`)
  }
}
