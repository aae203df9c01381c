import * as fs from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { codeOf, InvalidInput, OperatorError } from './operator-error.ts'

/** Files contain key hashes and the cursor secret, so only their owner may read them, whatever the umask is. */
const FOLDER_MODE = 0o700
const FILE_MODE = 0o600

/** Waits until a file, or a folder's list of names, is on disk. */
export function syncPath(path: string): void {
  const descriptor = fs.openSync(path, 'r')
  try {
    fs.fsyncSync(descriptor)
  } finally {
    fs.closeSync(descriptor)
  }
}

/** Syncs the parent too: otherwise a power cut could lose the new folder and everything in it. */
export function createPrivateFolder(folder: string): void {
  if (fs.existsSync(folder)) return
  createPrivateFolder(dirname(folder))
  fs.mkdirSync(folder, { mode: FOLDER_MODE, recursive: true })
  syncPath(dirname(folder))
}

/** Creates an empty file, unless the name is already in use. */
export function createPrivateFile(path: string): void {
  try {
    fs.closeSync(fs.openSync(path, 'wx', FILE_MODE))
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error
  }
}

/**
 * Creates an empty draft of a file, in a private folder beside it. `publish` gives the draft the file's name; disposing removes the
 * folder. Fails immediately if the name is in use and may not be replaced, and `publish` fails if it has come into use since.
 */
export function beginDraft(file: string, { replace }: { readonly replace: boolean }) {
  const target = resolve(file)
  if (!fs.existsSync(dirname(target)))
    throw new OperatorError(`There is no folder ${dirname(target)}.`, { exit: 'missing' })
  const found = fs.statSync(target, { throwIfNoEntry: false })
  // A rename would replace a device or a pipe with a file.
  if (found?.isFile() === false) throw new InvalidInput(`${target} is not a file. Choose a file to write to.`)
  if (found && !replace) throw fileExists(target)
  const folder = fs.mkdtempSync(`${target}-draft-`)
  const path = join(folder, 'draft')
  createPrivateFile(path)
  return {
    path,
    /** Makes the file durable and gives it its name. */
    publish: (): void => {
      syncPath(path)
      try {
        // Unlike a rename, a link fails if the file exists.
        if (replace) fs.renameSync(path, target)
        else fs.linkSync(path, target)
      } catch (error) {
        throw codeOf(error) === 'EEXIST' ? fileExists(target) : error
      }
      syncPath(dirname(target))
    },
    [Symbol.dispose]: (): void => fs.rmSync(folder, { recursive: true, force: true }),
  }
}

const fileExists = (file: string): InvalidInput =>
  new InvalidInput(`${file} already exists. Choose another file, or add --force to replace it.`)
