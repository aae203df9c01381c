import { accessSync, constants, existsSync, statfsSync, statSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { advice, type Finding, fail, ok } from '../../diagnosis.ts'

const MEGABYTE = 1024 * 1024
const LEAST_FREE_BYTES = 256 * MEGABYTE

/** File systems whose locks or syncs are unreliable, by their Linux magic numbers. */
const NETWORK_FILE_SYSTEMS = new Map([
  [0x6969, 'NFS'],
  [0x517b, 'SMB'],
  [0xff534d42, 'CIFS'],
  [0xfe534d42, 'SMB'],
])

/** File systems whose contents are lost when the machine stops. */
const IN_MEMORY = new Map([
  [0x01021994, 'tmpfs'],
  [0x858458f6, 'ramfs'],
])

/** Whether the database has room to grow, on a disk that keeps what it confirms, in a writable folder. */
export function diskFindings(path: string): Finding[] {
  const folder = nearestFolder(dirname(resolve(path)))
  const { bavail, bsize, type } = statfsSync(folder)
  return [space(path, bavail * bsize), kind(folder, type), permission(folder)]
}

function space(path: string, free: number): Finding {
  const size = existsSync(path) ? statSync(path).size : 0
  const text = `${Math.floor(free / MEGABYTE)} MiB free`
  if (free < LEAST_FREE_BYTES) return fail('disk', `${text}. Free some space, or animals cannot be added`)
  // A backup on the same disk needs as much again.
  return free < 2 * size
    ? advice('disk', `${text}, less than twice the database. Make room`)
    : ok('disk', text)
}

function kind(folder: string, type: number): Finding {
  const among = (kinds: ReadonlyMap<number, string>): string | undefined =>
    process.platform === 'linux' ? kinds.get(type) : undefined
  const network = among(NETWORK_FILE_SYSTEMS)
  if (network !== undefined)
    return fail(
      'file system',
      `${folder} is on ${network}. Keep the database on a local disk, or use PostgreSQL`,
    )
  const memory = among(IN_MEMORY)
  return memory === undefined
    ? ok('file system', 'local')
    : advice('file system', `${folder} is in memory (${memory}): animals are lost when the machine stops`)
}

function permission(folder: string): Finding {
  try {
    accessSync(folder, constants.W_OK)
    return ok('permission', `this user may write to ${folder}`)
  } catch {
    return fail('permission', `This user may not write to ${folder}. Give it the folder, or run as its owner`)
  }
}

const nearestFolder = (folder: string): string =>
  existsSync(folder) || folder === dirname(folder) ? folder : nearestFolder(dirname(folder))
