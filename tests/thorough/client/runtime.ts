import { join } from 'node:path'
import { eventually, Output } from '../../support/process.ts'

/** Bundles the scenarios into one file that needs only the installed package. */
export async function bundleScenarios(folder: string): Promise<string> {
  const { outputs } = await Bun.build({
    entrypoints: [join(import.meta.dir, 'run-scenarios.ts')],
    outdir: folder,
    target: 'node',
    format: 'esm',
    naming: 'run-scenarios.mjs',
  })
  return outputs[0]?.path ?? ''
}

/** A Node or Bun process that runs scenarios one by one. */
export class Runtime {
  readonly #name: string
  readonly #process
  readonly #output = new Output()
  readonly #errors = new Output()

  constructor(name: string, command: string, ...args: string[]) {
    this.#name = name
    this.#process = Bun.spawn([command, ...args], {
      stdio: ['pipe', this.#output.file, this.#errors.file],
    })
  }

  /** Throws the failure of the scenario. */
  async run(name: string): Promise<void> {
    const before = this.#output.lines.length
    this.#process.stdin.write(`${name}\n`)
    await this.#process.stdin.flush()
    const line = await eventually('the end of the scenario', () => {
      if (this.#process.exitCode !== null) throw new Error(`The runtime ended: ${this.#errors.text}`)
      return this.#output.lines[before]
    })
    const { runtime, problem } = JSON.parse(line) as { runtime: string; problem?: string }
    if (runtime !== this.#name) throw new Error(`This ran on ${runtime}.`)
    if (problem !== undefined) throw new Error(problem)
  }

  async end(): Promise<void> {
    await this.#process.stdin.end()
    await this.#process.exited
  }
}
