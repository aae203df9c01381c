import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { program } from '../../../support/programs/program.ts'
import { freshFolder } from '../../../support/service/folder.ts'

/** The wall clock of one process; its monotonic clock is not affected. */
export class SteppedClock {
  readonly #file: string
  readonly variables: Record<string, string>

  private constructor(file: string) {
    this.#file = file
    this.variables = {
      LD_PRELOAD: library('faketime/libfaketimeMT.so.1'),
      FAKETIME_TIMESTAMP_FILE: file,
      FAKETIME_NO_CACHE: '1',
      FAKETIME_DONT_FAKE_MONOTONIC: '1',
    }
    this.step(0)
  }

  static async create(): Promise<SteppedClock> {
    program('faketime')
    return new SteppedClock(join(await freshFolder(), 'clock'))
  }

  step(days: number): void {
    writeFileSync(this.#file, `${days < 0 ? '' : '+'}${days}d\n`)
  }
}

/** Finds a library that a package installed below /usr/lib. */
function library(pattern: string): string {
  for (const file of new Bun.Glob(`*/${pattern}`).scanSync({ cwd: '/usr/lib', absolute: true }))
    if (existsSync(file)) return file
  throw new Error(`No ${pattern} below /usr/lib`)
}
