import { join } from 'node:path'

const MAIN = join(import.meta.dir, '../../../src/main.ts')
const OURS = /^(HOST|PORT|DATABASE_URL|LOG_LEVEL|LOG_FORMAT|NO_COLOR|FORCE_COLOR|PETSTORE_.*|OTEL_.*)$/

export type Variables = Readonly<Record<string, string>>

const PROGRAM = [process.execPath, MAIN]

/** The program's name in hints when it is started in the project's folder, as tests do. */
export const HINTED = './petstore'

/** The command line of the real program, for tests that start it in a special way. */
export const commandLine = (...args: string[]): string[] => [...PROGRAM, ...args]

/** The environment of this process without the settings of the service, plus these variables. */
export function environmentWith(variables: Variables): Record<string, string | undefined> {
  const inherited = Object.entries(process.env).filter(([name]) => !OURS.test(name))
  return { ...Object.fromEntries(inherited), ...variables }
}

/** Long enough for a busy machine; tests pass a shorter time only where it is guaranteed. */
export const PATIENCE_MS = 60_000

/** Polls until there is a result; fails when the time is up. */
export async function eventually<T>(
  what: string,
  look: () => T | undefined | Promise<T | undefined>,
  withinMs = PATIENCE_MS,
): Promise<T> {
  const end = performance.now() + withinMs
  for (;;) {
    const began = performance.now()
    const found = await look()
    const now = performance.now()
    if (found !== undefined) return found
    if (now > end) throw new Error(`Not within ${withinMs} ms: ${what}`)
    // A look that starts a process would otherwise keep a core busy and slow down what it waits for.
    await Bun.sleep(Math.min(Math.max(10, 2 * (now - began)), 500))
  }
}
