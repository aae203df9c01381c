import { program } from '../../../support/programs/program.ts'
import { eventually } from '../../../support/service/process.ts'
import { isTraced, threadsOf } from './threads.ts'

/** Longer than any test: the hang ends with recover(). */
const HOUR_S = 3600

/** A disk whose syncs neither succeed nor fail: the writing threads of a service hang as soon as they wait for it. */
export class HungDisk {
  readonly #strace: Bun.Subprocess

  private constructor(strace: Bun.Subprocess) {
    this.#strace = strace
  }

  /** Attaches only to the worker threads: if strace traced the main thread, it would also delay its exit. */
  static async under(pid: number): Promise<HungDisk> {
    const threads = threadsOf(pid, 'Worker')
    const flags = ['-qq', '-o', '/dev/null', '-e', 'trace=fsync,fdatasync']
    const hang = ['-e', `inject=fsync,fdatasync:delay_enter=${HOUR_S}s`]
    const strace = Bun.spawn(
      [program('strace'), ...flags, ...hang, ...threads.flatMap(thread => ['-p', thread])],
      {
        stdio: ['ignore', 'ignore', 'pipe'],
      },
    )
    await eventually('strace is attached', () =>
      threads.every(thread => isTraced(pid, thread)) ? true : undefined,
    )
    return new HungDisk(strace)
  }

  /** Hung calls continue where they were. */
  async recover(): Promise<void> {
    this.#strace.kill('SIGKILL')
    await this.#strace.exited
  }
}
