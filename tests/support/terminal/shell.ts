import type { Subprocess } from 'bun'
import { environmentWith, eventually, type Variables } from '../service/process.ts'

const SIZE = { cols: 200, rows: 50 }
const CONTROL_C = '\x03'

/** A person's shell in a terminal of its own, with job control: signals go where they go in daily life. */
export class Shell {
  readonly #shell: Subprocess
  #text = ''

  constructor(folder: string, variables: Variables) {
    const decoder = new TextDecoder()
    this.#shell = Bun.spawn(['bash', '--noprofile', '--norc', '-i'], {
      cwd: folder,
      // The test runner hands this on, and the runtime would then end every program that outlives its parent.
      env: { ...environmentWith(variables), BUN_FEATURE_FLAG_NO_ORPHANS: undefined },
      terminal: { ...SIZE, data: (_, chunk) => (this.#text += decoder.decode(chunk, { stream: true })) },
    })
  }

  get pid(): number {
    return this.#shell.pid
  }

  /** All that the terminal has shown so far. */
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

  /** As when the window is closed: whatever runs in the terminal is told so by SIGHUP. */
  async closeWindow(): Promise<void> {
    this.#shell.terminal?.close()
    await this.#shell.exited
  }
}
