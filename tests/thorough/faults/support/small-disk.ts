import { spawnSync } from 'node:child_process'
import { rmSync, statfsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { program } from '../../../support/programs/program.ts'
import { freshFolder } from '../../../support/service/folder.ts'

/** A file system of a few megabytes in memory. */
export class SmallDisk {
  readonly folder: string

  private constructor(folder: string) {
    this.folder = folder
  }

  static async create(megabytes: number): Promise<SmallDisk> {
    const disk = new SmallDisk(await freshFolder())
    run(program('mount'), '-t', 'tmpfs', '-o', `size=${megabytes}m`, 'tmpfs', disk.folder)
    return disk
  }

  get databaseUrl(): string {
    return `sqlite:${join(this.folder, 'animals.db')}`
  }

  /** Fills the disk except for this many bytes. */
  fill(leaving: number): void {
    const { bavail, bsize } = statfsSync(this.folder)
    writeFileSync(this.#ballast, Buffer.alloc(Math.max(0, bavail * bsize - leaving)))
  }

  makeRoom(): void {
    rmSync(this.#ballast)
  }

  makeReadOnly(): void {
    run(program('mount'), '-o', 'remount,ro', this.folder)
  }

  remove(): void {
    run('umount', this.folder)
  }

  get #ballast(): string {
    return join(this.folder, 'ballast')
  }
}

function run(...[program = '', ...args]: string[]): void {
  const { status, stderr } = spawnSync(program, args, { encoding: 'utf8' })
  if (status !== 0) throw new Error(`${program} failed: ${stderr}`)
}
