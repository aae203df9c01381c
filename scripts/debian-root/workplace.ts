import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const PATIENCE_MS = 2000
const SIGNALS = { SIGHUP: 129, SIGINT: 130, SIGTERM: 143 } as const

/** A folder and the programs at work in it. Both are gone in the end, also when it comes by a failure or by Ctrl-C. */
export class Workplace {
  readonly folder: string
  readonly #running = new Set<Bun.Subprocess>()
  readonly #last: (() => Promise<void>)[] = []
  #closing: Promise<void> | undefined

  private constructor(folder: string) {
    this.folder = folder
  }

  /** Does the work; whether it could be done. */
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

  /** What must be done before the folder can be removed. */
  atLast(work: () => Promise<void>): void {
    this.#last.unshift(work)
  }

  /** Runs a program for what it prints; what it says besides is in the error when it fails. */
  async run(...command: string[]): Promise<string> {
    const { code, stdout, stderr } = await this.try(command)
    if (code === 0) return stdout
    throw new Error(`${command.join(' ')} ended with ${code}:\n${stderr.trimEnd()}`)
  }

  /** Runs a program to its end, whichever it is; `isShown` lets its output stream through as well. */
  async try(command: readonly string[], isShown = false): Promise<Ended> {
    const isLast = this.#closing !== undefined
    // Should this process be killed, so is the program.
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
    // A signal came meanwhile: what waits for this program goes no further, and the exit follows.
    if (this.#closing && !isLast) await new Promise<never>(() => {})
    return { code, stdout, stderr }
  }

  /** Once, whether by the end of the work or by a signal that comes before. */
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

/** Processes of a namespace that was ended may write a moment longer than their first. */
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
