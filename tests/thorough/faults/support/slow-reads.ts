import { readFileSync, realpathSync } from 'node:fs'
import { program } from '../../../support/programs/program.ts'
import { eventually } from '../../../support/service/process.ts'
import { isTraced, threadsOf } from './threads.ts'

export interface Slowness {
  /** The delay of every read of the file, in strace notation: `100ms`, `3600s`. */
  readonly delay: string
  /** The name of the threads to slow down; all threads if absent. */
  readonly named?: string
}

/** Simulates a slow disk with an empty page cache: delays every read that a process makes of its database. */
export class SlowReads {
  readonly #strace: Bun.Subprocess
  readonly #trace: string

  private constructor(strace: Bun.Subprocess, trace: string) {
    this.#strace = strace
    this.#trace = trace
  }

  static async of(pid: number, database: string, { delay, named }: Slowness): Promise<SlowReads> {
    const threads = threadsOf(pid, named)
    const file = realpathSync(database)
    const trace = `${file}.reads`
    const strace = Bun.spawn(
      [
        ...[program('strace'), '-f', '-qq', '-o', trace, '-P', file, '-P', `${file}-wal`],
        ...['-e', 'trace=pread64', '-e', `inject=pread64:delay_enter=${delay}`],
        ...threads.flatMap(thread => ['-p', thread]),
      ],
      { stdio: ['ignore', 'ignore', 'ignore'] },
    )
    await eventually('strace is attached', () =>
      threads.every(thread => isTraced(pid, thread)) ? true : undefined,
    )
    return new SlowReads(strace, trace)
  }

  /** Waiting reads continue; returns the threads that had to wait. */
  async end(): Promise<ReadonlySet<string>> {
    this.#strace.kill('SIGKILL')
    await this.#strace.exited
    const calls = readFileSync(this.#trace, 'utf8').matchAll(/^(\d+) +pread64\(/gm)
    return new Set(Array.from(calls, ([, thread = '']) => thread))
  }
}
