import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'

/** Locked while packages are installed: test files run side by side. */
const APT_FOLDER = '/var/lib/apt'

export const isRoot = process.getuid?.() === 0

/** Programs of the system that attacks need, and the packages of Debian that bring them. */
const PACKAGES = {
  strace: 'strace',
  eatmydata: 'eatmydata',
  faketime: 'faketime',
  prlimit: 'util-linux',
  mount: 'mount',
  openssl: 'openssl',
  sqlmap: 'sqlmap',
  wapiti: 'wapiti',
  slowhttptest: 'slowhttptest',
} as const

/** Installs what is missing where it may, and names it where it may not: an attack that cannot run has failed. */
export function need(...tools: (keyof typeof PACKAGES)[]): void {
  const missing = tools.filter(tool => Bun.which(tool) === null).map(tool => PACKAGES[tool])
  if (missing.length === 0) return
  if (!isRoot || Bun.which('apt-get') === null)
    throw new Error(`This attack needs the Debian packages ${missing.join(', ')}. Install them.`)
  const install = `apt-get update -q && DEBIAN_FRONTEND=noninteractive apt-get install -qy ${missing.join(' ')}`
  const { status, stderr } = spawnSync('flock', [APT_FOLDER, 'sh', '-c', install], { encoding: 'utf8' })
  if (status !== 0) throw new Error(`${missing.join(', ')} could not be installed: ${stderr}`)
}

export function needRoot(what: string): void {
  if (!isRoot) throw new Error(`Only root may ${what}. Run this attack as root, in a container for instance.`)
}

/** The library that a package put below one of the folders for libraries. */
export function library(pattern: string): string {
  for (const file of new Bun.Glob(`*/${pattern}`).scanSync({ cwd: '/usr/lib', absolute: true }))
    if (existsSync(file)) return file
  throw new Error(`No ${pattern} below /usr/lib`)
}
