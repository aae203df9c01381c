import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { relative } from 'node:path'
import { isProgram, type Need, PROGRAMS, type Program } from './list.ts'

/** An ordinary user's PATH often lacks the folders for administrators; Podman has its helpers in a folder of its own. */
const SYSTEM = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin:/usr/lib/podman'

export const isRoot = process.getuid?.() === 0

/** Whether this machine has what is needed; asked again each time, as the preflight may have installed it. */
export function isThere(need: Need): boolean {
  if (isProgram(need)) return find(need) !== undefined
  return need === 'root' ? isRoot : isRoot && canMount()
}

/** What each file has said that it needs. Test files of one process share this module. */
const declared = new Map<string, Set<Need>>()

export function declare(needs: readonly Need[]): void {
  declared.set(Bun.main, new Set([...(declared.get(Bun.main) ?? []), ...needs]))
}

/** The path of a program. A file that has not said that it needs it fails here, on every machine and not only where it is missing. */
export function program(name: Program): string {
  if (!declared.get(Bun.main)?.has(name)) throw new Error(undeclared(name))
  const path = find(name)
  if (path === undefined) throw new Error(`${name} is missing: sudo npm run test:setup`)
  return path
}

const undeclared = (name: Program): string =>
  `${relative(process.cwd(), Bun.main)} runs ${name} and does not say so: const { test } = needs('${name}')`

function find(name: Program): string | undefined {
  if (name === 'chromium' && process.env.CHROMIUM_PATH) return process.env.CHROMIUM_PATH
  const { names = [name], file } = PROGRAMS[name]
  if (file !== undefined) return existsSync(file) ? file : undefined
  for (const called of names) {
    const path = Bun.which(called) ?? Bun.which(called, { PATH: SYSTEM })
    if (path !== null) return path
  }
  return undefined
}

/** Root of a container may not mount. Tried in a mount namespace of its own, which leaves nothing behind. */
function canMount(): boolean {
  const attempt = ['--mount', 'mount', '-t', 'tmpfs', 'tmpfs', '/mnt']
  return spawnSync('unshare', attempt, { stdio: 'ignore' }).status === 0
}
