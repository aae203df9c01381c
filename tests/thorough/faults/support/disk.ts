import { expect } from 'bun:test'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, statfsSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { petJson, walk } from '../../../support/http.ts'
import { eventually } from '../../../support/process.ts'
import { program } from '../../../support/programs.ts'
import type { Service } from '../../../support/service.ts'

const BACK_WITHIN_MS = 5000

/** A caller of one service that records what was acknowledged. */
export class Caller {
  /** Names by identifier. */
  readonly acknowledged = new Map<bigint, string>()
  readonly service: Service
  readonly refusals: readonly string[]

  constructor(service: Service, refusals = ['503 unavailable']) {
    this.service = service
    this.refusals = refusals
  }

  /** Adds an animal; returns the status, which is 201 or an honest 503. */
  async add(name: string): Promise<number> {
    const answer = await this.service.post(petJson({ name }))
    if (answer.status === 201) this.acknowledged.set(answer.pet.id, name)
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
    expect(pets).toHaveLength(this.acknowledged.size)
    expect(new Map(pets.map(({ id, name }) => [id, name]))).toEqual(this.acknowledged)
  }
}

/** A file system of a few megabytes in memory. */
export class SmallDisk {
  readonly folder = mkdtempSync(join(tmpdir(), 'petstore-disk-'))
  readonly databaseUrl = `sqlite:${join(this.folder, 'animals.db')}`

  constructor() {
    mount('-t', 'tmpfs', '-o', 'size=16m', 'tmpfs', this.folder)
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

function mount(...args: string[]): void {
  const { status, stderr } = spawnSync(program('mount'), args, { encoding: 'utf8' })
  if (status !== 0) throw new Error(`mount failed: ${stderr}`)
}
