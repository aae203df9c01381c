import { closeSync, constants, existsSync, lstatSync, mkdirSync, openSync } from 'node:fs'
import { dirname } from 'node:path'
import { codeOf, OperatorError } from '../operator-error.ts'
import { syncPath } from './sync.ts'

const { O_CREAT, O_EXCL, O_NOFOLLOW, O_RDWR } = constants

/** Stored files contain key hashes and the cursor secret, so only their owner may read them, under any umask. */
export const FOLDER_MODE = 0o700
const FILE_MODE = 0o600
const OTHERS = 0o077

/** A new folder's name is itself data: without syncing its parent, a power cut could take folder and animals together. */
export function createPrivateFolder(folder: string): void {
  if (existsSync(folder)) return
  createPrivateFolder(dirname(folder))
  try {
    mkdirSync(folder, { mode: FOLDER_MODE })
  } catch (error) {
    if (!isThereAlready(error)) throw error
  }
  syncPath(dirname(folder))
}

/** Creates the folder if it is missing. Throws if others may have put something into it. */
export function keepPrivateFolder(folder: string): void {
  try {
    mkdirSync(folder, { mode: FOLDER_MODE })
  } catch (error) {
    if (!isThereAlready(error)) throw error
  }
  const found = lstatSync(folder)
  if (!found.isDirectory() || found.uid !== process.geteuid?.() || (found.mode & OTHERS) !== 0)
    throw new OperatorError(`${folder} is not a folder of this user alone. Remove it.`)
}

/** An empty file that was not there before, not even as a link to nowhere; false where the name is taken. */
export function createPrivateFile(path: string): boolean {
  try {
    closeSync(openPrivateFile(path))
    return true
  } catch (error) {
    if (!isThereAlready(error)) throw error
    return false
  }
}

/** The descriptor of a new file. */
export const openPrivateFile = (path: string): number =>
  openSync(path, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW, FILE_MODE)

export const isThereAlready = (error: unknown): boolean => codeOf(error) === 'EEXIST'
