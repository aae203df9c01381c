import { existsSync, readFileSync } from 'node:fs'
import { isRoot } from './program.ts'

const say = (line: string): void => void process.stdout.write(`${line}\n`)

/** Another apt-get may be at work, the machine's own for instance; ours waits for it. */
const WAITING = ['-o', 'DPkg::Lock::Timeout=600']

/** Root of Debian, Ubuntu or one of their kind. */
export function canInstall(): boolean {
  if (!isRoot || Bun.which('apt-get') === null || !existsSync('/etc/os-release')) return false
  return /^ID(_LIKE)?=.*\b(debian|ubuntu)\b/m.test(readFileSync('/etc/os-release', 'utf8'))
}

/** Installs packages in one go, without a time limit: ended in the middle, apt-get leaves the machine's packages broken. */
export async function install(packages: ReadonlySet<string>): Promise<void> {
  say(`Installing ${[...packages].join(', ')} (--no-install prevents this):`)
  await run('apt-get', 'update', '-q', ...WAITING)
  const known: string[] = []
  for (const name of packages) {
    // One unknown name would keep apt-get from installing the others.
    if ((await run('apt-cache', 'show', '--quiet=2', name)) === 0) known.push(name)
    else say(`This machine's package sources have no ${name}.`)
  }
  if (known.length === 0) return
  const code = await run('apt-get', 'install', '-y', '--no-install-recommends', ...WAITING, ...known)
  if (code !== 0) say(`apt-get ended with ${code}. The tests go on without what it did not install.`)
}

function run(...command: string[]): Promise<number> {
  return Bun.spawn(command, {
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
    stdio: ['ignore', command[0] === 'apt-cache' ? 'ignore' : 'inherit', 'inherit'],
  }).exited
}
