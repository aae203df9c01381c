import { program } from '../../support/programs/program.ts'
import { eventually } from '../../support/service/process.ts'
import { isTraced, threadsOf } from './threads.ts'

/** Longer than any test: the hang ends when it is told to. */
const HOUR_S = 3600

/** A disk whose syncs neither succeed nor fail: the threads of a service that write are held as soon as they wait for it. */
export class HungDisk {
  readonly #strace: Bun.Subprocess

  private constructor(strace: Bun.Subprocess) {
    this.#strace = strace
  }

  /** Only the threads: strace would also keep the end of a main thread that it follows to itself. */
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

  /** What hung goes on where it was. */
  async recover(): Promise<void> {
    this.#strace.kill('SIGKILL')
    await this.#strace.exited
  }
}
