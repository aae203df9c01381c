import { join } from 'node:path'

export const HERE = import.meta.dir
/** A tool that takes longer hangs. */
const TIMEOUT_MS = 10 * 60_000
/** Turns off the tools' telemetry. */
export const QUIET = { SCARF_ANALYTICS: 'false', DO_NOT_TRACK: '1' }

/** Runs a program from this folder's packages; throws its output if it fails. Bun runs those that need a newer Node. */
export async function runTool(name: string, ...args: string[]): Promise<void> {
  const { code, text } = await tool(name, ...args)
  if (code !== 0) throw new Error(`${name} ended with ${code}:\n${text}`)
}

export const tool = (name: string, ...args: string[]) =>
  capture([process.execPath, '--bun', join(HERE, 'node_modules/.bin', name), ...args])

export async function capture(
  command: readonly string[],
  variables: Record<string, string> = {},
  cwd = HERE,
): Promise<{ code: number; text: string }> {
  const child = Bun.spawn([...command], {
    cwd,
    env: { ...process.env, ...variables, ...QUIET },
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: TIMEOUT_MS,
  })
  const [out, err, code] = await Promise.all([child.stdout.text(), child.stderr.text(), child.exited])
  return { code, text: out + err }
}
