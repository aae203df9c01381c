import type { Database } from 'bun:sqlite'
import { singleValue } from './database.ts'

const LOOK_EVERY_MS = 1000

/**
 * Which past the database has. A service only ever adds animals, but other programs may put an earlier state back under it
 * (`.restore`, `.read` of a dump); all of them leave another schema cookie behind, which nothing else changes while we serve.
 */
export function watchHistory(database: Database): {
  readonly number: () => number
  readonly stop: () => void
} {
  const cookie = (): unknown => singleValue(database, 'PRAGMA schema_version')
  let number = 0
  let known = cookie()
  const look = (): void => {
    try {
      const found = cookie()
      if (found !== known) number++
      known = found
    } catch {
      // A read fails in the same way; what was kept is not trusted meanwhile.
      number++
    }
  }
  const timer = setInterval(look, LOOK_EVERY_MS)
  timer.unref()
  return { number: () => number, stop: () => clearInterval(timer) }
}
