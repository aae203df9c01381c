import { isRoot } from './program.ts'

/** Waits if another apt-get is running, for example the machine's own. */
const WAITING = ['-o', 'DPkg::Lock::Timeout=600']

const say = (line: string): void => void process.stdout.write(`${line}\n`)

/** True for root on Debian, Ubuntu or a derivative. */
export const canInstall = (): boolean => isRoot && Bun.which('apt-get') !== null

/** Installs packages without a time limit: an interrupted apt-get leaves the package database broken. */
export async function install(packages: ReadonlySet<string>): Promise<void> {
  say(`Installing ${[...packages].join(', ')} (--no-install prevents this):`)
  await run('inherit', 'apt-get', 'update', '-q', ...WAITING)
  const known: string[] = []
  for (const name of packages) {
    // One unknown name would keep apt-get from installing the others.
    if ((await run('ignore', 'apt-cache', 'show', name)) === 0) known.push(name)
    else say(`The package sources of this machine have no ${name}.`)
  }
  if (known.length === 0) return
  const code = await run(
    'inherit',
    'apt-get',
    'install',
    '-y',
    '--no-install-recommends',
    ...WAITING,
    ...known,
  )
  if (code !== 0) say(`apt-get ended with ${code}. The tests go on without what it did not install.`)
}

const run = (output: 'inherit' | 'ignore', ...command: string[]): Promise<number> =>
  Bun.spawn(command, {
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
    stdio: ['ignore', output, output],
  }).exited
