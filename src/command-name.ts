import { dirname, join } from 'node:path'
import type { Environment } from './contract/servers.ts'

/** The command that runs this program here. */
export function commandName(): string {
  if (isCompiled()) return 'petstore'
  const script = join(import.meta.dir, '../petstore')
  return dirname(script) === process.cwd() ? './petstore' : shellWord(script)
}

/** Whether this is the compiled executable, which contains the whole program. */
const isCompiled = (): boolean => Bun.main.startsWith('/$bunfs/') || /^[A-Z]:[\\/]~BUN/.test(Bun.main)

/** A command of this program in an environment, for hints to copy and paste. */
export const commandIn = (environment: Environment, words: string): string =>
  `${commandName()} ${words}${environment === 'production' ? '' : ` --env ${environment}`}`

/** Within single quotes only the quote itself is special to a shell. */
export const shellWord = (text: string): string =>
  /^[\w./:-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`
