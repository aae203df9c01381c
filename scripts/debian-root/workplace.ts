import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const PATIENCE_MS = 2000
const SIGNALS = { SIGHUP: 129, SIGINT: 130, SIGTERM: 143 } as const

/** A folder and the programs that run in it. Both are removed at the end, even after a failure or Ctrl-C. */
export class Workplace {
  readonly folder: string
  readonly #running = new Set<Bun.Subprocess>()
  readonly #last: (() => Promise<void>)[] = []
  #closing: Promise<void> | undefined

  private constructor(folder: string) {
    this.folder = folder
  }

  /** Does the work; returns whether it succeeded. */
  static async use(name: string, work: (place: Workplace) => Promise<void>): Promise<boolean> {
    const place = new Workplace(await mkdtemp(join(tmpdir(), `petstore-${name}-`)))
    for (const [signal, code] of Object.entries(SIGNALS))
      process.on(signal, () => void place.#close().finally(() => process.exit(code)))
    try {
      await work(place)
      return true
    } catch (error) {
      process.stderr.write(`${error instanceof Error ? error.message : error}\n`)
      return false
    } finally {
      await place.#close()
    }
  }

  /** Registers work to do before the folder is removed. */
  atLast(work: () => Promise<void>): void {
    this.#last.unshift(work)
  }

  /** Runs a program and returns its standard output. If it fails, the error contains its standard error. */
  async run(...command: string[]): Promise<string> {
    const { code, stdout, stderr } = await this.try(command)
    if (code === 0) return stdout
    throw new Error(`${command.join(' ')} ended with ${code}:\n${stderr.trimEnd()}`)
  }

  /** Runs a program and returns how it ended, even if it failed; `isShown` also streams its output. */
  async try(command: readonly string[], isShown = false): Promise<Ended> {
    const isLast = this.#closing !== undefined
    // If this process is killed, so is the program.
    const child = Bun.spawn(['setpriv', '--pdeathsig=KILL', ...command], {
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    this.#running.add(child)
    const [stdout, stderr, code] = await Promise.all([
      read(child.stdout, isShown ? process.stdout : undefined),
      read(child.stderr, isShown ? process.stderr : undefined),
      child.exited,
    ])
    this.#running.delete(child)
    // A signal arrived meanwhile: the caller must not continue, and the exit follows.
    if (this.#closing && !isLast) await new Promise<never>(() => {})
    return { code, stdout, stderr }
  }

  /** Runs once, at the end of the work or at a signal before it. */
  #close(): Promise<void> {
    this.#closing ??= this.#clear()
    return this.#closing
  }

  async #clear(): Promise<void> {
    await Promise.all([...this.#running].map(end))
    for (const work of this.#last) await work()
    await removeFolder(this.folder)
  }
}

export interface Ended {
  readonly code: number
  readonly stdout: string
  readonly stderr: string
}

/** When a namespace ends, its other processes may write slightly longer than its first. */
async function removeFolder(folder: string, attempts = 20): Promise<void> {
  try {
    await rm(folder, { recursive: true, force: true })
  } catch (error) {
    if (attempts === 0) throw error
    await Bun.sleep(200)
    await removeFolder(folder, attempts - 1)
  }
}

async function end(child: Bun.Subprocess): Promise<void> {
  child.kill('SIGTERM')
  const timer = setTimeout(() => child.kill('SIGKILL'), PATIENCE_MS)
  await child.exited
  clearTimeout(timer)
}

async function read(from: ReadableStream<Uint8Array>, to: NodeJS.WriteStream | undefined): Promise<string> {
  const decoder = new TextDecoder()
  let text = ''
  for await (const chunk of from) {
    to?.write(chunk)
    text += decoder.decode(chunk, { stream: true })
  }
  return text
}
