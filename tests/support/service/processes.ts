import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'

/** Reads /proc on Linux, because a minimal system has neither `ps` nor `pgrep`; uses those elsewhere. */
const hasProc = process.platform === 'linux'

/** The children of a process, including zombies. */
export function childrenOf(pid: number): number[] {
  const listed = hasProc
    ? read(`/proc/${pid}/task/${pid}/children`)
    : spawnSync('pgrep', ['-P', String(pid)], { encoding: 'utf8' }).stdout
  return listed.split(/\s+/).filter(Boolean).map(Number)
}

/** False for a zombie. */
export function isAlive(pid: number): boolean {
  const state = hasProc
    ? (read(`/proc/${pid}/stat`).split(') ').at(-1) ?? '')
    : spawnSync('ps', ['-o', 'stat=', '-p', String(pid)], { encoding: 'utf8' }).stdout
  return /^[^Z\s]/.test(state)
}

/** The content of a file in /proc; empty once the process is gone. */
function read(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}
