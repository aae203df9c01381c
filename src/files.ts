import * as fs from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { codeOf, InvalidInput, OperatorError } from './operator-error.ts'

/** Files hold hashes of keys and the secret of cursors, so only their owner may read them, under any umask. */
const FOLDER_MODE = 0o700
const FILE_MODE = 0o600

/** Waits until a file, or the names in a folder, are on the disk. */
export function syncPath(path: string): void {
  const descriptor = fs.openSync(path, 'r')
  try {
    fs.fsyncSync(descriptor)
  } finally {
    fs.closeSync(descriptor)
  }
}

/** A new folder's name is itself data: without a sync of its parent, a power cut could take the folder and all in it. */
export function createPrivateFolder(folder: string): void {
  if (fs.existsSync(folder)) return
  createPrivateFolder(dirname(folder))
  fs.mkdirSync(folder, { mode: FOLDER_MODE, recursive: true })
  syncPath(dirname(folder))
}

/** An empty file, unless something has that name already. */
export function createPrivateFile(path: string): void {
  try {
    fs.closeSync(fs.openSync(path, 'wx', FILE_MODE))
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error
  }
}

/**
 * An unfinished file in a private folder beside its target, removed unless it was published. Refuses at once what could not be
 * published. Without `replace`, a file that appears there meanwhile stays too.
 */
export function beginDraft(file: string, { replace }: { readonly replace: boolean }) {
  const target = resolve(file)
  if (!fs.existsSync(dirname(target)))
    throw new OperatorError(`There is no folder ${dirname(target)}.`, { exit: 'missing' })
  const found = fs.statSync(target, { throwIfNoEntry: false })
  // A rename would put a file in the place of a device or a pipe.
  if (found?.isFile() === false) throw new InvalidInput(`${target} is not a file. Name a file to write to.`)
  if (found && !replace) throw fileExists(target)
  const folder = fs.mkdtempSync(`${target}-draft-`)
  const path = join(folder, 'draft')
  createPrivateFile(path)
  return {
    path,
    /** Makes the file durable and gives it its name. */
    publish: (): void => {
      syncPath(path)
      if (replace) fs.renameSync(path, target)
      else linkNew(path, target)
      syncPath(dirname(target))
    },
    [Symbol.dispose]: (): void => fs.rmSync(folder, { recursive: true, force: true }),
  }
}

/** A link, unlike a rename, fails where a file of that name is. */
function linkNew(path: string, target: string): void {
  try {
    fs.linkSync(path, target)
  } catch (error) {
    throw codeOf(error) === 'EEXIST' ? fileExists(target) : error
  }
}

const fileExists = (file: string): InvalidInput =>
  new InvalidInput(`${file} already exists. Name another file, or add --force to replace it.`)
