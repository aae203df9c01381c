import { copyFile, cp, mkdir, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { CLIENT_FILE } from '../src/pages/built.ts'
import { build } from './build/build.ts'
import { clientContract } from './build/client-contract.ts'
import { prepare } from './build/prepare.ts'
import { argumentsOf, must, ROOT, refuse, say } from './command.ts'

const USAGE = `npm run release -- 1.1.0

Writes the version and the date of its notes, commits and tags, then packs an executable for each platform, the client, and their
checksums into dist/. Run the tests first. It publishes nothing.`
const TARGETS = ['linux-x64', 'linux-arm64', 'darwin-x64', 'darwin-arm64']
const BESIDE = ['LICENSE', 'README.md', 'CHANGELOG.md', 'SECURITY.md', 'deploy', 'docs']
const CONTRACT = 'client/src/contract.generated.ts'
const [version = ''] = argumentsOf(USAGE, {}, true).positionals
if (!/^\d+\.\d+\.\d+$/.test(version)) refuse(`${version || 'Nothing'} is not a version.`, USAGE)
const HEADING = `## [${version}] - Unreleased\n`
const folder = join(ROOT, 'dist', `release-${version}`)

const read = (file: string): Promise<string> => Bun.file(join(ROOT, file)).text()
const write = (file: string, text: string): Promise<number> => Bun.write(join(ROOT, file), text)

async function writeVersion(): Promise<void> {
  for (const place of [ROOT, join(ROOT, 'client')])
    await must('npm', 'version', version, '--prefix', place, '--no-git-tag-version', '--allow-same-version')
  await write(CONTRACT, clientContract(version))
  const dated = HEADING.replace('Unreleased', new Date().toISOString().slice(0, 10))
  await write('CHANGELOG.md', (await read('CHANGELOG.md')).replace(HEADING, dated))
}

async function pack(): Promise<void> {
  await rm(folder, { recursive: true, force: true })
  await mkdir(folder, { recursive: true })
  await prepare()
  for (const target of TARGETS) {
    const name = `petstore-${version}-${target}`
    await build(join(folder, name, 'petstore'), `bun-${target}`)
    for (const file of BESIDE) await cp(join(ROOT, file), join(folder, name, file), { recursive: true })
    await must('tar', '-C', folder, '-czf', join(folder, `${name}.tar.gz`), name)
    await rm(join(folder, name), { recursive: true })
  }
  await copyFile(CLIENT_FILE, join(folder, `petstore-client-${version}.tgz`))
  const sums = (await readdir(folder)).toSorted().map(async file => {
    const hash = new Bun.CryptoHasher('sha256').update(await Bun.file(join(folder, file)).bytes())
    return `${hash.digest('hex')}  ${file}\n`
  })
  await Bun.write(join(folder, 'SHA256SUMS'), (await Promise.all(sums)).join(''))
}

if ((await must('git', 'status', '--porcelain')) !== '') refuse('Commit or remove your changes first.', USAGE)
if ((await must('git', 'tag', '--list', `v${version}`)) !== '')
  refuse(`The tag v${version} is there already.`, USAGE)
if (!(await read('CHANGELOG.md')).includes(HEADING)) refuse(`CHANGELOG.md has no "${HEADING.trim()}".`, USAGE)
await writeVersion()
await must('git', 'commit', '--quiet', '--all', '-m', `Release ${version}`)
await must('git', 'tag', '--annotate', `v${version}`, '-m', `Petstore ${version}`)
await pack()
say(`Released ${version}: ${folder}. To share the tag: git push --follow-tags`)
