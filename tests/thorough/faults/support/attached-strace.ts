import { program } from '../../../support/programs/program.ts'
import { eventually } from '../../../support/service/process.ts'
import { isTraced, threadsOf } from './threads.ts'

/** Makes system calls of a running process fail while attached. */
export class InjectedFault {
  readonly #strace: Bun.Subprocess

  private constructor(strace: Bun.Subprocess) {
    this.#strace = strace
  }

  /**
   * `calls` are names as in strace; `how` is an injection such as `error=EIO` or `error=EIO:when=2+3`. With a file, only calls
   * on that file fail.
   */
  static async attach(pid: number, calls: string, how: string, file?: string): Promise<InjectedFault> {
    const flags = ['-f', '-qq', '-o', '/dev/null', '-e', `trace=${calls}`, '-e', `inject=${calls}:${how}`]
    const only = file === undefined ? [] : ['-P', file]
    const strace = Bun.spawn([program('strace'), ...flags, ...only, '-p', String(pid)], {
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    await eventually('strace is attached', () =>
      threadsOf(pid).every(thread => isTraced(pid, thread)) ? true : undefined,
    )
    return new InjectedFault(strace)
  }

  async detach(): Promise<void> {
    this.#strace.kill('SIGINT')
    await this.#strace.exited
  }
}
