import { dirname, join } from 'node:path'
import { shellQuoted } from './shell-quoted.ts'

/** The command that runs this program here, for hints that can be pasted. */
export function commandName(): string {
  if (isCompiled()) return 'petstore'
  const script = join(import.meta.dir, '../petstore')
  if (dirname(script) === process.cwd()) return './petstore'
  return /^[\w./-]+$/.test(script) ? script : shellQuoted(script)
}

/** The words that run this program in another process. */
export const ownCommandLine = (runtimeFlags: readonly string[] = []): string[] =>
  isCompiled() ? [process.execPath] : [process.execPath, ...runtimeFlags, Bun.main]

/** Whether this is the executable, which carries its sources inside. */
const isCompiled = (): boolean => Bun.main.startsWith('/$bunfs/') || /^[A-Z]:[\\/]~BUN/.test(Bun.main)
