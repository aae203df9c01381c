import { readdirSync, readFileSync } from 'node:fs'
import { eventually } from '../../../support/service/process.ts'
import type { ServiceProcess } from '../../../support/service/service-process.ts'

/** Twice the time that a service may take. */
const LONGEST_WAIT_MS = 20_000

const fieldOf = (pid: number, thread: string, file: string): string =>
  readFileSync(`/proc/${pid}/task/${thread}/${file}`, 'utf8')

/** The threads of a process, or those with this name. */
export const threadsOf = (pid: number, name?: string): string[] =>
  readdirSync(`/proc/${pid}/task`).filter(
    thread => name === undefined || fieldOf(pid, thread, 'comm').trim() === name,
  )

export const isTraced = (pid: number, thread: string): boolean =>
  !/^TracerPid:\s+0$/m.test(fieldOf(pid, thread, 'status'))

/** The time from SIGTERM to the end of the main thread. A thread hung in the disk may remain, and the process with it. */
export async function msToEnd(service: ServiceProcess): Promise<number> {
  const since = performance.now()
  service.signal('SIGTERM')
  await eventually(
    'the main thread has ended',
    () => hasEnded(service.process.pid) || undefined,
    LONGEST_WAIT_MS,
  )
  return performance.now() - since
}

/** If only a hung thread remains, the process is a zombie that still has a thread. */
function hasEnded(pid: number): boolean {
  const [, state] = /\) (\w)/.exec(readFileSync(`/proc/${pid}/stat`, 'utf8')) ?? []
  return state === 'Z'
}
