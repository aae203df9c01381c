import { basename, dirname, join, resolve } from 'node:path'
import { placeOf } from '../../files/place-of.ts'

/** The database, what SQLite puts beside it, and our lock. */
const ENDINGS = ['', '-wal', '-shm', '-journal', '-lock']

/** Whether a file is, or once written would be taken for, a part of a database, whatever links lead there. */
export function isPartOfDatabase(path: string, file: string): boolean {
  const parts = ENDINGS.map(ending => placeOf(path).path + ending)
  const inItsFolder = join(placeOf(dirname(resolve(file))).path, basename(file))
  return [inItsFolder, placeOf(file).path].some(name => parts.includes(name))
}
