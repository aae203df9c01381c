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

/** strace, attached to a running process, that makes its system calls fail or hang. */
export class InjectedFault {
  readonly #strace: Bun.Subprocess

  private constructor(strace: Bun.Subprocess) {
    this.#strace = strace
  }

  /** `calls` are names as in strace; `how` is an injection such as `error=EIO:when=2+3`. With a file, only calls on it fail. */
  static attach(pid: number, calls: string, how: string, file?: string): Promise<InjectedFault> {
    const only = file === undefined ? [] : ['-P', file]
    const threads = readdirSync(`/proc/${pid}/task`)
    return InjectedFault.#start(pid, threads, calls, how, ['-f', ...only, '-p', String(pid)])
  }

  /** A disk whose syncs neither succeed nor fail. Only the workers: a traced main thread would also delay its exit. */
  static hang(pid: number): Promise<InjectedFault> {
    const isWorker = (thread: string): boolean => proc(pid, `task/${thread}/comm`).trim() === 'Worker'
    const threads = readdirSync(`/proc/${pid}/task`).filter(isWorker)
    const attach = threads.flatMap(thread => ['-p', thread])
    return InjectedFault.#start(pid, threads, 'fsync,fdatasync', 'delay_enter=3600s', attach)
  }

  static async #start(pid: number, threads: string[], calls: string, how: string, attach: string[]) {
    const flags = ['-qq', '-o', '/dev/null', '-e', `trace=${calls}`, '-e', `inject=${calls}:${how}`]
    const strace = Bun.spawn([program('strace'), ...flags, ...attach], {
      stdio: ['ignore', 'ignore', 'ignore'],
    })
    const isTraced = (thread: string) => !/^TracerPid:\s+0$/m.test(proc(pid, `task/${thread}/status`))
    await eventually('strace is attached', () => threads.every(isTraced) || undefined)
    return new InjectedFault(strace)
  }

  /** Hung calls continue where they were. */
  async detach(): Promise<void> {
    this.#strace.kill('SIGKILL')
    await this.#strace.exited
  }
}
