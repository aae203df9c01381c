import type { Subprocess } from 'bun'
import { environmentWith, eventually, type Variables } from '../service/process.ts'

const SIZE = { cols: 200, rows: 50 }
const CONTROL_C = '\x03'

/** A person's shell in its own terminal, with job control, so that signals are delivered as in normal use. */
export class Shell {
  readonly #shell: Subprocess
  #text = ''

  constructor(folder: string, variables: Variables) {
    const decoder = new TextDecoder()
    this.#shell = Bun.spawn(['bash', '--noprofile', '--norc', '-i'], {
      cwd: folder,
      // The test runner sets this variable, which would make the runtime end every program that outlives its parent.
      env: { ...environmentWith(variables), BUN_FEATURE_FLAG_NO_ORPHANS: undefined },
      terminal: { ...SIZE, data: (_, chunk) => (this.#text += decoder.decode(chunk, { stream: true })) },
    })
  }

  get pid(): number {
    return this.#shell.pid
  }

  /** Everything that the terminal has shown so far. */
  get text(): string {
    return this.#text
  }

  type(line: string): void {
    this.#shell.terminal?.write(`${line}\n`)
  }

  pressControlC(): void {
    this.#shell.terminal?.write(CONTROL_C)
  }

  shows(pattern: RegExp, withinMs?: number): Promise<RegExpExecArray> {
    return eventually(`the terminal shows ${pattern}`, () => pattern.exec(this.#text) ?? undefined, withinMs)
  }

  /** Closes the window: everything that runs in the terminal gets SIGHUP. */
  async closeWindow(): Promise<void> {
    this.#shell.terminal?.close()
    await this.#shell.exited
  }
}
