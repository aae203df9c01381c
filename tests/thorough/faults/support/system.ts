import { readdirSync, readFileSync } from 'node:fs'
import { childrenOf, eventually } from '../../../support/process.ts'
import { program } from '../../../support/programs.ts'

const proc = (pid: number, file: string): string => readFileSync(`/proc/${pid}/${file}`, 'utf8')

export const residentBytes = (pid: number): number =>
  Number(/^VmRSS:\s+(\d+) kB$/m.exec(proc(pid, 'status'))?.[1]) * 1024

/** The innermost first child, which runs our program: a wrapper such as strace may be its parent. */
export function programBelow(pid: number): number {
  const [child] = childrenOf(pid)
  return child === undefined ? pid : programBelow(child)
}

/**
 * Attaches strace to a running process, so that its system calls fail. `calls` are names as in strace; `how` is an injection such as
 * `error=EIO:when=2+3`. With a file, only calls on it fail.
 */
export function injectFault(pid: number, calls: string, how: string, file?: string) {
  const only = file === undefined ? [] : ['-P', file]
  const threads = readdirSync(`/proc/${pid}/task`)
  return attach(pid, threads, calls, how, ['-f', ...only, '-p', String(pid)])
}

/** A disk whose syncs neither succeed nor fail. Only the workers: a traced main thread would also delay its exit. */
export function hangDisk(pid: number) {
  const isWorker = (thread: string): boolean => proc(pid, `task/${thread}/comm`).trim() === 'Worker'
  const threads = readdirSync(`/proc/${pid}/task`).filter(isWorker)
  const each = threads.flatMap(thread => ['-p', thread])
  return attach(pid, threads, 'fsync,fdatasync', 'delay_enter=3600s', each)
}

async function attach(pid: number, threads: string[], calls: string, how: string, to: string[]) {
  const flags = ['-qq', '-o', '/dev/null', '-e', `trace=${calls}`, '-e', `inject=${calls}:${how}`]
  const strace = Bun.spawn([program('strace'), ...flags, ...to], { stdio: ['ignore', 'ignore', 'ignore'] })
  const isTraced = (thread: string) => !/^TracerPid:\s+0$/m.test(proc(pid, `task/${thread}/status`))
  await eventually('strace is attached', () => threads.every(isTraced) || undefined)
  /** Hung calls continue where they were. */
  const detach = async (): Promise<void> => {
    strace.kill('SIGKILL')
    await strace.exited
  }
  return { detach }
}
