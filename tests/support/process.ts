import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { mkdtemp } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export { freePort } from '../../scripts/command.ts'

const MAIN = join(import.meta.dir, '../../src/main.ts')
const OURS = /^(HOST|PORT|DATABASE_URL|LOG_LEVEL|PETSTORE_.*|OTEL_.*)$/

export type Variables = Readonly<Record<string, string>>

export const commandLine = (...args: string[]): string[] => [process.execPath, MAIN, ...args]

/** Without the settings of this process. The default port may be in use by a service that has nothing to do with the tests. */
export function environmentWith(variables: Variables): Record<string, string | undefined> {
  const inherited = Object.entries(process.env).filter(([name]) => !OURS.test(name))
  return { ...Object.fromEntries(inherited), PORT: '0', ...variables }
}

/** Creates an empty folder. `npm test` sets TMPDIR and removes all of them at its end. */
export const freshFolder = (): Promise<string> => mkdtemp(join(tmpdir(), 'petstore-test-'))

export const freshSqliteUrl = async (): Promise<string> => `sqlite:${join(await freshFolder(), 'animals.db')}`

export const pathOf = (databaseUrl: string): string => databaseUrl.replace('sqlite:', '')

/** Long enough for a busy machine; tests pass a shorter time only where it is guaranteed. */
const TIMEOUT_MS = 60_000

/** Polls until there is a result; fails when the time is up. */
export async function eventually<T>(
  what: string,
  look: () => T | undefined | Promise<T | undefined>,
  withinMs = TIMEOUT_MS,
): Promise<T> {
  const started = performance.now()
  for (;;) {
    const began = performance.now()
    const found = await look()
    const now = performance.now()
    if (found !== undefined) return found
    const waited = now - started
    if (waited > withinMs) throw new Error(`Not within ${withinMs} ms: ${what}`)
    // Soon at first. A look that starts a process must not keep a core busy and slow down what it waits for.
    await Bun.sleep(Math.min(Math.max(Math.min(1 + waited, 10), 2 * (now - began)), 500))
  }
}

/** Starts work so many times, all at once. */
export const atOnce = <T>(count: number, work: (n: number) => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: count }, (_, n) => work(n)))

export const isPending = (work: Promise<unknown>): boolean => Bun.peek.status(work) === 'pending'

export interface LogLine {
  readonly event: string
  readonly [field: string]: unknown
}

/** What a process prints to `file`: the runtime sometimes stops reading a pipe while connections open and close. */
export class Output {
  readonly #path = join(mkdtempSync(join(tmpdir(), 'petstore-output-')), 'output')

  constructor() {
    writeFileSync(this.#path, '')
  }

  get file(): Bun.BunFile {
    return Bun.file(this.#path)
  }

  get text(): string {
    return readFileSync(this.#path, 'utf8')
  }

  /** The complete lines so far. */
  get lines(): string[] {
    return this.text.split('\n').slice(0, -1)
  }

  get log(): LogLine[] {
    return this.lines.filter(line => line.startsWith('{')).map(line => JSON.parse(line) as LogLine)
  }

  /** Waits for a log entry. The log is written in batches, so an entry may come shortly after the answer. */
  entry(matches: (line: LogLine) => boolean): Promise<LogLine> {
    return eventually('a log entry', () => this.log.find(matches))
  }
}

export interface Ran {
  readonly code: number
  readonly stdout: string
  readonly stderr: string
}

export interface Start {
  readonly cwd?: string
  /** A command that starts it, prepended to its command line. */
  readonly within?: readonly string[]
  /** Other sources than those of this project. */
  readonly main?: string
}

export function start(args: readonly string[], variables: Variables = {}, options: Start = {}) {
  const { cwd = process.cwd(), within = [], main = MAIN } = options
  const [stdout, stderr] = [new Output(), new Output()]
  const child = Bun.spawn([...within, process.execPath, main, ...args], {
    cwd,
    env: environmentWith(variables),
    stdio: ['ignore', stdout.file, stderr.file],
  })
  return { child, stdout, stderr }
}

/** Runs a command of the real program to its end; kills it when the time is up. */
export async function petstore(...command: Parameters<typeof start>): Promise<Ran> {
  const { child, stdout, stderr } = start(...command)
  const timer = setTimeout(() => child.kill(), TIMEOUT_MS)
  const code = await child.exited
  clearTimeout(timer)
  return { code, stdout: stdout.text, stderr: stderr.text }
}

/** Creates an API key with the CLI, and the database if there is none; returns the secret. */
export async function createKey(databaseUrl: string, name: string, ...more: string[]): Promise<string> {
  const command = ['keys', 'create', '--create', '--name', name, ...more]
  const { code, stdout, stderr } = await petstore(command, { DATABASE_URL: databaseUrl })
  if (code !== 0) throw new Error(stderr)
  return stdout.trim()
}

/** Runs a command in a terminal, like a person, who may reply to a text; `text` includes control characters. */
export async function inTerminal(
  args: readonly string[],
  variables: Variables = {},
  reply?: { readonly to: string; readonly with: string },
  within: readonly string[] = [],
): Promise<{ code: number; text: string }> {
  const decoder = new TextDecoder()
  let text = ''
  let awaited = reply
  const child = Bun.spawn([...within, ...commandLine(...args)], {
    env: environmentWith({ TERM: 'xterm', ...variables }),
    terminal: {
      cols: 100,
      rows: 30,
      data: (terminal, chunk) => {
        text += decoder.decode(chunk, { stream: true })
        if (awaited === undefined || !text.includes(awaited.to)) return
        terminal.write(awaited.with)
        awaited = undefined
      },
    },
  })
  const code = await child.exited
  child.terminal?.close()
  return { code, text }
}

/** The children of a process, including zombies. */
export const childrenOf = (pid: number): number[] =>
  procFile(`${pid}/task/${pid}/children`).split(/\s+/).filter(Boolean).map(Number)

/** False for a zombie. */
export const isAlive = (pid: number): boolean =>
  /^[^Z\s]/.test(procFile(`${pid}/stat`).split(') ').at(-1) ?? '')

/** Empty once the process is gone. */
function procFile(path: string): string {
  try {
    return readFileSync(`/proc/${path}`, 'utf8')
  } catch {
    return ''
  }
}

export const listens = (port: number): Promise<boolean> =>
  new Promise(resolve => {
    const socket = connect(port, '127.0.0.1')
    socket.once('error', () => resolve(false))
    socket.once('connect', () => {
      socket.destroy()
      resolve(true)
    })
  })
