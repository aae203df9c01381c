import { existsSync, readFileSync } from 'node:fs'

const TICKS_A_SECOND = 100

/** Processor time used so far by processes and by the children they waited for (Linux). */
export function cpuSeconds(pids: readonly number[]): number {
  let ticks = 0
  for (const pid of pids) {
    const path = `/proc/${pid}/stat`
    // The time of a process that ended meanwhile is counted with its parent.
    if (!existsSync(path)) continue
    const stat = readFileSync(path, 'utf8')
    // The name in parentheses may contain spaces, so count the fields after it.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    ticks += [11, 12, 13, 14].reduce((sum, place) => sum + Number(fields[place]), 0)
  }
  return ticks / TICKS_A_SECOND
}
