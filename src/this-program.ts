import { dirname, join } from 'node:path'
import { version } from '../package.json' with { type: 'json' }
import type { Environment } from './contract/servers.ts'

/** The version of this program. The API has its own version, in the contract. */
export const RELEASE: string = version

declare const COMMIT: string | undefined

/** The commit of this build or checkout, `-dirty` with changes, to tell builds of one release apart; empty if it is unknown. */
export function commit(): string {
  if (typeof COMMIT === 'string') return COMMIT
  if (Bun.which('git') === null) return ''
  // Without --git-dir, a folder above could be another repository.
  const words = ['--git-dir=.git', '--no-optional-locks', 'describe', '--always', '--dirty', '--exclude=*']
  const git = Bun.spawnSync(['git', ...words], { cwd: join(import.meta.dir, '..'), stderr: 'ignore' })
  return git.stdout.toString().trim()
}

/** The command that runs this program here. */
export function commandName(): string {
  if (isCompiled()) return 'petstore'
  const script = join(import.meta.dir, '../petstore')
  if (dirname(script) === process.cwd()) return './petstore'
  return shellWord(script)
}

/** Within single quotes only the quote itself is special to a shell. */
export const shellWord = (text: string): string =>
  /^[\w./:-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`

/** A command of this program in an environment, for hints to copy and paste. */
export const commandIn = (environment: Environment, words: string): string =>
  `${commandName()} ${words}${environment === 'production' ? '' : ` --env ${environment}`}`

/** Whether this is the compiled executable, which contains the whole program. */
const isCompiled = (): boolean => Bun.main.startsWith('/$bunfs/') || /^[A-Z]:[\\/]~BUN/.test(Bun.main)

/** Starts a file of `src` as a thread. This file is at the root of `src`, as is everything in the executable. */
export const startThread = (file: string): Worker =>
  // Without this, the thread would lack the variables that were read from a file.
  new Worker(new URL(`./${file}`, import.meta.url).href, { env: process.env as Record<string, string> })
