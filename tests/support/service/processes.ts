import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'

/** On Linux by /proc, as a minimal system has neither `ps` nor `pgrep`; elsewhere by those. */
const hasProc = process.platform === 'linux'

/** The processes that a process has started and that were not yet taken note of as ended. */
export function childrenOf(pid: number): number[] {
  const listed = hasProc
    ? read(`/proc/${pid}/task/${pid}/children`)
    : spawnSync('pgrep', ['-P', String(pid)], { encoding: 'utf8' }).stdout
  return listed.split(/\s+/).filter(Boolean).map(Number)
}

/** One that ended and was not yet taken note of by its parent is not alive. */
export function isAlive(pid: number): boolean {
  const state = hasProc
    ? (read(`/proc/${pid}/stat`).split(') ').at(-1) ?? '')
    : spawnSync('ps', ['-o', 'stat=', '-p', String(pid)], { encoding: 'utf8' }).stdout
  return /^[^Z\s]/.test(state)
}

/** What the kernel tells of a process; nothing once it is gone. */
function read(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}
