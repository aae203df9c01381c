import { expect } from 'bun:test'
import { spawnSync } from 'node:child_process'
import { readFileSync, rmSync, statfsSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { petJson, walk } from '../../../support/http.ts'
import { eventually, freshFolder } from '../../../support/process.ts'
import { program } from '../../../support/programs.ts'
import type { Service } from '../../../support/service.ts'

const BACK_WITHIN_MS = 5000

/** A caller of one service that records what was acknowledged. */
export class Caller {
  readonly acknowledged: string[] = []
  readonly service: Service
  readonly refusals: readonly string[]

  constructor(service: Service, refusals = ['503 unavailable']) {
    this.service = service
    this.refusals = refusals
  }

  /** Adds an animal; returns the status, which is 201 or an honest 503. */
  async add(name: string): Promise<number> {
    const answer = await this.service.post(petJson({ name }))
    if (answer.status === 201) this.acknowledged.push(name)
    else {
      expect(this.refusals).toContain(answer.failure)
      expect(answer.headers.get('retry-after')).toBe('1')
    }
    return answer.status
  }

  /** Waits until an animal can be added again, at most 5 seconds. */
  async untilAdded(label: string): Promise<void> {
    let tries = 0
    const isAdded = async () => (await this.add(`${label} ${tries++}`)) === 201 || undefined
    await eventually('writes work again', isAdded, BACK_WITHIN_MS)
  }

  /** Expects the service to return everything that was acknowledged, and nothing else. */
  async expectNothingElse(service = this.service): Promise<void> {
    const { pets } = await walk(service, '/v1/pets?limit=100')
    expect(pets.map(({ name }) => name)).toEqual(this.acknowledged)
  }
}

/** A file system of a few megabytes in memory. */
export class SmallDisk {
  readonly folder: string

  private constructor(folder: string) {
    this.folder = folder
  }

  static async create(): Promise<SmallDisk> {
    const disk = new SmallDisk(await freshFolder())
    mount('-t', 'tmpfs', '-o', 'size=16m', 'tmpfs', disk.folder)
    return disk
  }

  get databaseUrl(): string {
    return `sqlite:${join(this.folder, 'animals.db')}`
  }

  /** Fills the disk except for this many bytes. */
  fill(leaving: number): void {
    const { bavail, bsize } = statfsSync(this.folder)
    writeFileSync(join(this.folder, 'ballast'), Buffer.alloc(Math.max(0, bavail * bsize - leaving)))
  }

  makeRoom(): void {
    rmSync(join(this.folder, 'ballast'))
  }

  /** The whole disk, or one file of it: even root may only read it then. */
  makeReadOnly(file = ''): void {
    const path = join(this.folder, file)
    if (file !== '') mount('--bind', path, path)
    mount('-o', file === '' ? 'remount,ro' : 'remount,ro,bind', path)
  }

  /** Leaves no inode for another file. */
  useUpInodes(): void {
    const { files, ffree } = statfsSync(this.folder)
    mount('-o', `remount,nr_inodes=${files - ffree}`, this.folder)
  }

  remove(): void {
    spawnSync('umount', ['--recursive', '--lazy', this.folder])
  }
}

/** A file system on a block device, which becomes read-only after an error. */
export class FailingDisk {
  readonly folder: string
  readonly #device: string

  private constructor(folder: string, device: string) {
    this.folder = folder
    this.#device = device
  }

  static async create(): Promise<FailingDisk> {
    const [folder, image] = [await freshFolder(), join(await freshFolder(), 'image')]
    writeFileSync(image, new Uint8Array(6_000_000))
    spawnSync(program('mkfs.ext4'), ['-q', image])
    mount('-o', 'loop,errors=remount-ro', image, folder)
    const mounted = readFileSync('/proc/mounts', 'utf8').split('\n')
    const device = mounted.find(line => line.includes(` ${folder} `))?.split(' ')[0] ?? ''
    return new FailingDisk(folder, basename(device))
  }

  get databaseUrl(): string {
    return `sqlite:${join(this.folder, 'animals.db')}`
  }

  fail(): void {
    writeFileSync(`/sys/fs/ext4/${this.#device}/trigger_fs_error`, '1')
  }

  [Symbol.dispose](): void {
    spawnSync('umount', ['--lazy', this.folder])
  }
}

function mount(...args: string[]): void {
  const { status, stderr } = spawnSync(program('mount'), args, { encoding: 'utf8' })
  if (status !== 0) throw new Error(`mount failed: ${stderr}`)
}
