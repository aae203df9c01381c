import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { freshFolder } from '../../support/process.ts'

const CLIENT = join(import.meta.dir, '../../../client')

export interface PackedClient {
  /** Where the package is installed, as on a user's machine. */
  readonly folder: string
  readonly tarball: string
  /** The files in the tarball. */
  readonly files: readonly string[]
}

/** Builds and packs the client, and installs the tarball into its own folder. */
export async function packClient(): Promise<PackedClient> {
  const folder = await freshFolder()
  const packed = await npm(CLIENT, 'pack', '--json', '--pack-destination', folder)
  // The output of the build precedes the report.
  const [report] = JSON.parse(packed.slice(packed.indexOf('\n[') + 1)) as [
    { filename: string; files: { path: string }[] },
  ]
  const home = join(folder, 'home')
  await mkdir(home)
  await Bun.write(join(home, 'package.json'), '{"name":"home","private":true,"type":"module"}')
  await npm(home, 'install', '--no-audit', '--no-fund', join(folder, report.filename))
  return {
    folder: home,
    tarball: join(folder, report.filename),
    files: report.files.map(({ path }) => path).sort(),
  }
}

async function npm(cwd: string, ...args: string[]): Promise<string> {
  const child = Bun.spawn(['npm', ...args], { cwd, stdio: ['ignore', 'pipe', 'pipe'] })
  const [stdout, stderr, code] = await Promise.all([child.stdout.text(), child.stderr.text(), child.exited])
  if (code !== 0) throw new Error(`npm ${args.join(' ')} ended with ${code}: ${stderr}${stdout}`)
  return stdout
}
