import { randomUUID } from 'node:crypto'
import * as fs from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { codeOf, InvalidInput, messageOf } from '../../operator-error.ts'
import { StorageUnavailable, type Trouble } from '../errors.ts'
import { troubleIn } from './sqlite-errors.ts'

const ROOT = 0
const WAL = '-wal'
const WAL_INDEX = '-shm'
const JOURNAL = '-journal'
/** SQLite's default for a new file. */
export const PAGE_BYTES = 4096
/** What an empty database and its write-ahead log need, and an animal. */
const TRIAL_BYTES = 32 * PAGE_BYTES

/** Undefined if nothing has that name. */
const statOf = (path: string): fs.Stats | undefined => fs.statSync(path, { throwIfNoEntry: false })

/** Follows links, because SQLite keeps its files beside a link's target. A path that does not exist yet keeps its name. */
export function realPath(path: string): string {
  const absolute = resolve(path)
  if (statOf(absolute) !== undefined) return fs.realpathSync(absolute)
  const folder = dirname(absolute)
  return folder === absolute ? absolute : join(realPath(folder), basename(absolute))
}

export const walOf = (path: string): string => realPath(path) + WAL
export const walIndexOf = (path: string): string => realPath(path) + WAL_INDEX

/** 0 if nothing has that name any more: another process that creates the same database removes its journal at any moment. */
export const sizeOf = (path: string): number => statOf(path)?.size ?? 0
export const walBytes = (path: string): number => sizeOf(walOf(path))

/** The files with changes that SQLite would apply to the database file at a path, whether or not they belong to it. */
export const changesBeside = (path: string): string[] =>
  [WAL, JOURNAL].map(part => realPath(path) + part).filter(file => sizeOf(file) > 0)

/** The file system of the database, whose folder need not exist yet. */
export const diskOf = (path: string): fs.StatsFs =>
  fs.existsSync(path) ? fs.statfsSync(path) : diskOf(dirname(resolve(path)))

/** What this user can still write to the disk of the database. */
export function freeBytes(path: string): number {
  const { bavail, bsize } = diskOf(path)
  return bavail * bsize
}

/** By what a write to the disk fails with. */
const DISK_TROUBLES: Readonly<Record<string, Trouble>> = {
  EROFS: 'disk-read-only',
  ENOSPC: 'disk-full',
  EDQUOT: 'disk-full',
}

/** What `troubleIn` says. If that is little, the disk is asked too. */
export function troubleOf(error: unknown, path: string): Trouble | undefined {
  const trouble = troubleIn(error)
  return trouble === 'failing' ? (DISK_TROUBLES[codeOf(roomProblem(path))] ?? trouble) : trouble
}

/** Accepts only files, because SQLite would wait forever at a pipe. */
export function refuseOddPlace(path: string): void {
  refuseRootElsewhere(path)
  const real = realPath(path)
  if (fs.lstatSync(real, { throwIfNoEntry: false })?.isFile() === false)
    throw new InvalidInput(`${real} is not a file. Specify a database file.`)
}

/** SQLite would open a read-only file, and leave a write-ahead log beside it that nobody can write to. */
export function refuseReadOnly(path: string): void {
  const file = realPath(path)
  for (const needed of [file, file + WAL, file + WAL_INDEX, dirname(file)])
    try {
      fs.accessSync(needed, fs.constants.W_OK)
    } catch (error) {
      if (codeOf(error) !== 'ENOENT') throw error
    }
}

/**
 * Writes 128 KiB beside the database and removes them, because permissions do not reveal a full disk. Returns the error with which
 * the service would fail to write as much. Several checks may run at once.
 */
export function roomProblem(path: string): Error | undefined {
  let missing = realPath(path)
  while (!fs.existsSync(dirname(missing))) missing = dirname(missing)
  const trial = join(dirname(missing), `.petstore-check-${randomUUID()}`)
  try {
    fs.mkdirSync(trial)
    try {
      fs.writeFileSync(join(trial, 'trial'), new Uint8Array(TRIAL_BYTES))
    } finally {
      fs.rmSync(trial, { recursive: true })
    }
  } catch (cause) {
    // The service would fail to create a file or folder of this name.
    return Object.assign(new Error(messageOf(cause)), { code: codeOf(cause), path: missing })
  }
}

/** Whether a file is part of a database, or would become part of it. */
export const isPartOf = (path: string, file: string): boolean =>
  ['', WAL, WAL_INDEX, JOURNAL].some(part => realPath(file) === realPath(path) + part)

/** Root must not work in another user's folder: its owner could redirect the writes, and could not use the new files. */
export function refuseRootElsewhere(path: string): void {
  if (process.geteuid?.() !== ROOT) return
  const folder = dirname(realPath(path))
  const owner = statOf(folder)?.uid
  if (owner === undefined) refuseRootElsewhere(folder)
  else if (owner !== ROOT)
    throw new InvalidInput(`The folder ${folder} belongs to user ${owner}. Run this as that user.`)
}

/** Identifies a file, regardless of links to it. */
export const fileId = (path: string): string => idOf(statOf(path))

const idOf = (found: fs.Stats | undefined): string => (found ? `${found.dev}:${found.ino}` : 'none')

export type OpenedFile = readonly [name: string, id: string]

/** The files of a database, itself first. They are all open only after a connection has read something. */
export const openedFiles = (path: string): OpenedFile[] =>
  [path, walOf(path), walIndexOf(path)].map(name => [name, fileId(name)])

/** SQLite would keep writing to a removed file, where nothing finds the data. Returns the state of the files. */
export function assertInPlace(files: readonly OpenedFile[]): { changedAt: number; walSize: number } {
  const [database, wal] = files.map(([name, id], index) => {
    const found = statOf(name)
    const isDatabase = index === 0
    if (found !== undefined && idOf(found) === id && (!isDatabase || found.size > 0)) return found
    const advice = isDatabase
      ? 'Do not restart it before that file is back: docs/backups.md says how.'
      : 'Restart the service: it stores the rest when it stops.'
    const reason = `${name} was removed, emptied or replaced while the service was running. ${advice}`
    throw new StorageUnavailable(reason, 'files-gone')
  })
  return { changedAt: database?.mtimeMs ?? 0, walSize: wal?.size ?? 0 }
}
