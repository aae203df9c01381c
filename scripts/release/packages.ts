import { cp, mkdir, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { build } from '../build/build.ts'
import { capture, ROOT } from '../command.ts'
import { sbomOf } from './sbom.ts'

/** The platforms that a release has an executable for. */
export const TARGETS = ['linux-x64', 'linux-arm64', 'darwin-x64', 'darwin-arm64']

const BESIDE = ['LICENSE', 'README.md', 'CHANGELOG.md', 'SECURITY.md', 'deploy', 'docs']

/** An executable per platform, the client, the sources and the bill of materials, with their checksums. */
export async function makePackages(
  folder: string,
  version: string,
  targets: readonly string[],
): Promise<void> {
  await rm(folder, { recursive: true, force: true })
  await mkdir(folder, { recursive: true })
  for (const target of targets) await packExecutable(folder, version, target)
  await must('npm', 'pack', '--silent', '--pack-destination', folder, join(ROOT, 'client'))
  const name = `petstore-${version}`
  await must('git', 'archive', `--prefix=${name}/`, '-o', join(folder, `${name}-source.tar.gz`), 'HEAD')
  await Bun.write(join(folder, `${name}.cdx.json`), `${JSON.stringify(await sbomOf(version), null, 2)}\n`)
  await Bun.write(join(folder, 'SHA256SUMS'), await checksums(folder))
}

async function packExecutable(folder: string, version: string, target: string): Promise<void> {
  const name = `petstore-${version}-${target}`
  const content = join(folder, name)
  await build(join(content, 'petstore'), `bun-${target}`)
  for (const file of BESIDE) await cp(join(ROOT, file), join(content, file), { recursive: true })
  await must('tar', '-C', folder, '-czf', join(folder, `${name}.tar.gz`), name)
  await rm(content, { recursive: true })
}

/** In the format of `sha256sum --check`. */
async function checksums(folder: string): Promise<string> {
  const lines = (await readdir(folder)).toSorted().map(async file => {
    const hash = new Bun.CryptoHasher('sha256').update(await Bun.file(join(folder, file)).bytes())
    return `${hash.digest('hex')}  ${file}\n`
  })
  return (await Promise.all(lines)).join('')
}

/** Returns what the program prints; a failure ends the release. */
export async function must(...command: string[]): Promise<string> {
  const { code, text } = await capture(...command)
  if (code !== 0) throw new Error(`${command.join(' ')} ended with ${code}`)
  return text.trim()
}
