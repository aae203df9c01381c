import { randomBytes } from 'node:crypto'
import {
  closeSync,
  fstatSync,
  fsyncSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { InvalidInput, OperatorError } from '../operator-error.ts'
import { asOwnerOf } from './act-as-owner.ts'
import { lockPath } from './lock.ts'
import { FOLDER_MODE, isThereAlready, openPrivateFile } from './private.ts'
import { syncPath } from './sync.ts'

const MARK = '-draft-'
const RANDOM = /^[0-9a-f]{16}$/

/** An unfinished file. It gets its name when it is published, and is removed otherwise. */
export interface FileDraft extends Disposable {
  readonly target: string
  /** In a private folder beside the target, where SQLite may put its own files too. */
  readonly path: string
  /** For writing, and to know the file again. */
  readonly descriptor: number
  /** Makes the file durable and gives it its name; refuses to replace a file unless told to. */
  publish(options: { readonly replace: boolean }): void
}

/**
 * Begins a file under a name that cannot be guessed. There is one draft at a time for a target: another one is refused. What a
 * killed process left of an earlier one is removed.
 */
export function beginDraft(file: string): FileDraft {
  const target = resolve(file)
  refuseOtherThanFile(target)
  return asOwnerOf(dirname(target), () => {
    const lock = lockPath(target)
    if (lock === undefined)
      throw new OperatorError(`${target} is being written by another process. Try again when it is done.`, {
        exit: 'unavailable',
      })
    try {
      removeDrafts(target)
      return newDraft(target, lock)
    } catch (error) {
      lock[Symbol.dispose]()
      throw error
    }
  })
}

function newDraft(target: string, lock: Disposable): FileDraft {
  const parent = dirname(target)
  const folder = `${target}${MARK}${randomBytes(8).toString('hex')}`
  const path = join(folder, 'draft')
  mkdirSync(folder, { mode: FOLDER_MODE })
  const descriptor = openPrivateFile(path)
  return {
    target,
    path,
    descriptor,
    publish: ({ replace }) =>
      asOwnerOf(parent, () => {
        fsyncSync(descriptor)
        assertIs(path, descriptor)
        if (replace) renameSync(path, target)
        else linkNew(path, target)
        syncPath(parent)
        assertIs(target, descriptor)
      }),
    [Symbol.dispose]: () =>
      asOwnerOf(parent, () => {
        closeSync(descriptor)
        rmSync(folder, { recursive: true, force: true })
        lock[Symbol.dispose]()
      }),
  }
}

/** A link, unlike a rename, fails where a file of that name has appeared in the meantime. */
function linkNew(path: string, target: string): void {
  try {
    linkSync(path, target)
  } catch (error) {
    throw isThereAlready(error) ? fileExists(target) : error
  }
}

export const fileExists = (file: string): InvalidInput =>
  new InvalidInput(`${file} already exists. Name another file, or add --force to replace it.`)

/** A rename would put a file in the place of a device or a pipe. */
function refuseOtherThanFile(target: string): void {
  const found = statSync(target, { throwIfNoEntry: false })
  if (found !== undefined && !found.isFile())
    throw new InvalidInput(`${target} is not a file. Name a file to write to.`)
}

/** What was written and checked is what has the name now. */
function assertIs(path: string, descriptor: number): void {
  const found = lstatSync(path, { throwIfNoEntry: false })
  const made = fstatSync(descriptor)
  if (found?.ino !== made.ino || found.dev !== made.dev || found.size !== made.size)
    throw new OperatorError(`${path} is not the file that was written: another program has replaced it.`)
}

/** Removes what a killed process left, unless one is at work there. */
export function removeAbandonedDrafts(target: string): void {
  asOwnerOf(dirname(target), () => {
    using lock = lockPath(target)
    if (lock !== undefined) removeDrafts(target)
  })
}

/** Only where the target is locked: then no other process is at work on what is found. */
function removeDrafts(target: string): void {
  const beginning = basename(target) + MARK
  for (const name of readdirSync(dirname(target)))
    if (name.startsWith(beginning) && RANDOM.test(name.slice(beginning.length)))
      rmSync(join(dirname(target), name), { recursive: true, force: true })
}
