import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { relative } from 'node:path'
import { isProgram, type Need, PROGRAMS, type Program } from './list.ts'

/** An ordinary user's PATH often lacks the sbin folders; Podman has its helpers in their own folder. */
const SYSTEM = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin:/usr/lib/podman'

export const isRoot = process.getuid?.() === 0

/** Whether this machine meets a need. Not cached, because the preflight may have installed it. */
export function isThere(need: Need): boolean {
  if (isProgram(need)) return find(need) !== undefined
  return need === 'root' ? isRoot : isRoot && canMount()
}

/** The needs that each file declared. Test files of one process share this module. */
const declared = new Map<string, Set<Need>>()

export function declare(needs: readonly Need[]): void {
  declared.set(Bun.main, new Set([...(declared.get(Bun.main) ?? []), ...needs]))
}

/** The path of a program. Fails if the file did not declare it, even on machines that have it. */
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

/** Root in a container may not be allowed to mount. The mount namespace leaves nothing behind. */
function canMount(): boolean {
  const attempt = ['--mount', 'mount', '-t', 'tmpfs', 'tmpfs', '/mnt']
  return spawnSync('unshare', attempt, { stdio: 'ignore' }).status === 0
}
