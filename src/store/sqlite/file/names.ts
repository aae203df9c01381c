import { lstatSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { followPath } from '../../../files/follow-path.ts'
import { OperatorError } from '../../../operator-error.ts'

/** The database, the files SQLite keeps beside it, and our lock. */
const ENDINGS = ['', '-wal', '-shm', '-journal', '-lock']

/** Whether a file is part of a database, or would become part of it when written. Follows links. */
export function isPartOfDatabase(path: string, file: string): boolean {
  const parts = ENDINGS.map(ending => followPath(path).path + ending)
  const inItsFolder = join(followPath(dirname(resolve(file))).path, basename(file))
  return [inItsFolder, followPath(file).path].some(name => parts.includes(name))
}

/** SQLite would block on a pipe named like its journal, and must not write to a device. */
export function refuseOddParts(path: string): void {
  const { path: file } = followPath(path)
  for (const ending of ENDINGS) {
    const found = lstatSync(file + ending, { throwIfNoEntry: false })
    if (found === undefined || found.isFile()) continue
    // A folder may have been named by mistake, and then it may hold the database.
    const remedy = ending === '' ? 'Name the file of a database.' : 'Remove it.'
    throw new OperatorError(`${file}${ending} is not a file. ${remedy}`)
  }
}
