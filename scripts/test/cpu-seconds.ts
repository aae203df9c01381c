import { existsSync, readFileSync } from 'node:fs'

const TICKS_A_SECOND = 100

/** Processor time that processes have used so far, of themselves and of those they waited for (Linux). */
export function cpuSeconds(pids: readonly number[]): number {
  let ticks = 0
  for (const pid of pids) {
    const path = `/proc/${pid}/stat`
    // One that ended meanwhile counts with its parent.
    if (!existsSync(path)) continue
    const stat = readFileSync(path, 'utf8')
    // The name in parentheses may hold spaces, so the fields are counted from behind it.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    ticks += [11, 12, 13, 14].reduce((sum, place) => sum + Number(fields[place]), 0)
  }
  return ticks / TICKS_A_SECOND
}
