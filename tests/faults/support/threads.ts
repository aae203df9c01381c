import { readdirSync, readFileSync } from 'node:fs'

const fieldOf = (pid: number, thread: string, file: string): string =>
  readFileSync(`/proc/${pid}/task/${thread}/${file}`, 'utf8')

/** The threads of a process, or those of one name. */
export const threadsOf = (pid: number, name?: string): string[] =>
  readdirSync(`/proc/${pid}/task`).filter(
    thread => name === undefined || fieldOf(pid, thread, 'comm').trim() === name,
  )

export const isTraced = (pid: number, thread: string): boolean =>
  !/^TracerPid:\s+0$/m.test(fieldOf(pid, thread, 'status'))

/** A process that was left by all threads but one that hangs is a zombie with a thread. */
export function hasEnded(pid: number): boolean {
  const [, state] = /\) (\w)/.exec(readFileSync(`/proc/${pid}/stat`, 'utf8')) ?? []
  return state === 'Z'
}
