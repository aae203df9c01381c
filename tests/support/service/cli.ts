import { Output } from './log.ts'
import { commandLine, environmentWith, PATIENCE_MS, type Variables } from './process.ts'

export interface Ran {
  readonly code: number
  readonly stdout: string
  readonly stderr: string
}

/** Runs a command of the real program to its end, optionally in a folder; kills it when the time is up. */
export async function petstore(
  args: readonly string[],
  variables: Variables = {},
  { cwd }: { cwd?: string } = {},
): Promise<Ran> {
  const stdout = new Output()
  const stderr = new Output()
  const child = Bun.spawn(commandLine(...args), {
    ...(cwd !== undefined && { cwd }),
    env: environmentWith(variables),
    stdio: ['ignore', stdout.file, stderr.file],
    timeout: PATIENCE_MS,
  })
  const code = await child.exited
  return { code, stdout: stdout.text, stderr: stderr.text }
}

/** Creates an API key with the CLI, and the database if there is none; returns the secret. */
export async function createKey(databaseUrl: string, name: string, ...more: string[]): Promise<string> {
  const { code, stdout, stderr } = await petstore(['keys', 'create', '--create', '--name', name, ...more], {
    DATABASE_URL: databaseUrl,
  })
  if (code !== 0) throw new Error(stderr)
  return stdout.trim()
}
