import { join } from 'node:path'
import { version } from '../package.json' with { type: 'json' }

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
