import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { freshFolder } from '../../support/process.ts'

const CLIENT = join(import.meta.dir, '../../../client')

/** The texts in a package, by their paths. */
export type PackedFiles = Readonly<Record<string, string>>

/** Installs the client that a service serves into a user's empty folder, as its README says, and returns the folder. */
export async function installServed(url: string): Promise<string> {
  const home = join(await freshFolder(), 'home')
  await mkdir(home)
  await Bun.write(join(home, 'package.json'), '{"name":"home","private":true,"type":"module"}')
  await Bun.write(join(home, 'client.tgz'), await fetch(`${url}/client.tgz`))
  await Bun.$`npm install --no-audit --no-fund ./client.tgz`.cwd(home).quiet()
  return home
}

/** The files in the package that `npm publish` would upload. */
export async function packedByNpm(): Promise<PackedFiles> {
  const folder = await freshFolder()
  await Bun.$`npm pack --pack-destination ${folder}`.cwd(CLIENT).quiet()
  const [tarball = ''] = [...new Bun.Glob('*.tgz').scanSync(folder)]
  return filesIn(await Bun.file(join(folder, tarball)).arrayBuffer())
}

export async function filesIn(tarball: ArrayBuffer): Promise<PackedFiles> {
  const files = [...(await new Bun.Archive(tarball).files())].map(
    async ([path, file]) => [path.replace('package/', ''), await file.text()] as const,
  )
  return Object.fromEntries(await Promise.all(files))
}
