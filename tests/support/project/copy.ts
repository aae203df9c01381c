import { cp, mkdir, symlink } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { program } from '../programs/program.ts'
import { freshFolder } from '../service/folder.ts'

const ROOT = join(import.meta.dir, '../../..')

export interface Ended {
  readonly code: number
  readonly output: string
}

/** A copy of the project in its current state, committed in its own repository, to develop and release in. */
export class ProjectCopy {
  readonly folder: string

  private constructor(folder: string) {
    this.folder = folder
  }

  static async make(): Promise<ProjectCopy> {
    const copy = new ProjectCopy(join(await freshFolder(), 'project'))
    const listed = Bun.spawnSync([program('git'), 'ls-files', '-coz', '--exclude-standard'], { cwd: ROOT })
    for (const file of listed.stdout.toString().split('\0').filter(Boolean)) {
      await mkdir(dirname(join(copy.folder, file)), { recursive: true })
      if (await Bun.file(join(ROOT, file)).exists()) await cp(join(ROOT, file), join(copy.folder, file))
    }
    await symlink(join(ROOT, 'node_modules'), join(copy.folder, 'node_modules'))
    await copy.git('init', '--quiet', '--initial-branch=main')
    // The ignore pattern for folders does not match a symlink.
    await Bun.write(join(copy.folder, '.git/info/exclude'), 'node_modules\n')
    await copy.git('add', '--all')
    await copy.git('commit', '--quiet', '-m', 'Begin')
    return copy
  }

  path(file: string): string {
    return join(this.folder, file)
  }

  git(...args: string[]): Promise<Ended> {
    const author = ['-c', 'user.name=Tester', '-c', 'user.email=tester@example.org']
    return this.run(program('git'), ...author, ...args)
  }

  async run(...command: string[]): Promise<Ended> {
    const child = Bun.spawn(command, { cwd: this.folder, stdio: ['ignore', 'pipe', 'pipe'] })
    const [stdout, stderr, code] = await Promise.all([child.stdout.text(), child.stderr.text(), child.exited])
    return { code, output: stdout + stderr }
  }
}
