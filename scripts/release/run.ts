import { join } from 'node:path'
import { ROOT, run, say } from '../command.ts'
import { makePackages, must, TARGETS } from './packages.ts'
import {
  hasNotes,
  isVersion,
  releasedChangelog,
  unreleasedNotes,
  withClientVersion,
  withVersion,
} from './texts.ts'

/** `npm run release -- 1.1.0`: version, changelog, commit, tag, packages and checksums; `--dry-run` only shows and packs. */
const [version = '', ...flags] = process.argv.slice(2)
const isDryRun = flags.includes('--dry-run')
const THIS_MACHINE = `${process.platform}-${process.arch}`
const VERSIONED = ['package.json', 'package-lock.json', 'client/package.json']
const CLIENT_CONTRACT = 'client/src/contract.generated.ts'
const CHANGED = [...VERSIONED, CLIENT_CONTRACT, 'CHANGELOG.md']

const read = (file: string): Promise<string> => Bun.file(join(ROOT, file)).text()

/** Why this version cannot be released now, in a sentence. */
async function refusal(): Promise<string | undefined> {
  if (!isVersion(version) || flags.some(flag => flag !== '--dry-run'))
    return 'Say which version: npm run release -- 1.1.0 [--dry-run]'
  const { version: present } = JSON.parse(await read('package.json')) as { version: string }
  if (Bun.semver.order(version, present) < 0) return `${version} lies before ${present}, the present version.`
  if ((await must('git', 'status', '--porcelain')) !== '')
    return 'The tree is not clean. A release is made of what is committed: commit or remove the rest.'
  if ((await must('git', 'tag', '--list', `v${version}`)) !== '')
    return `The tag v${version} is there already.`
  if (unreleasedNotes(await read('CHANGELOG.md'), version) === undefined)
    return `CHANGELOG.md has no notes under "## [${version}] - Unreleased".`
  if (!hasNotes(await read('client/CHANGELOG.md'), version))
    return `client/CHANGELOG.md has no notes under "## ${version}".`
  if (!isDryRun && (await must('git', 'branch', '--show-current')) !== 'main')
    return 'A release is made on the branch main.'
  return undefined
}

async function writeVersion(): Promise<void> {
  for (const file of VERSIONED) await Bun.write(join(ROOT, file), withVersion(await read(file), version))
  await Bun.write(join(ROOT, CLIENT_CONTRACT), withClientVersion(await read(CLIENT_CONTRACT), version))
  const day = new Date().toISOString().slice(0, 10)
  await Bun.write(join(ROOT, 'CHANGELOG.md'), releasedChangelog(await read('CHANGELOG.md'), version, day))
}

async function release(): Promise<void> {
  if ((await run(['npm', 'test'])) !== 0) throw new Error('The tests fail, so nothing was released.')
  await writeVersion()
  try {
    await must('git', 'commit', '--quiet', '-m', `Release ${version}`, '--', ...CHANGED)
    await makePackages(join(ROOT, 'dist', `release-${version}`), version, TARGETS)
    await must('git', 'tag', '--annotate', `v${version}`, '-m', `Petstore ${version}`)
  } catch (error) {
    say(`The commit "Release ${version}" may be there, the tag is not. Fix it, or: git reset --hard HEAD~1`)
    throw error
  }
  say(`Released ${version}: dist/release-${version}/. To publish it: git push --follow-tags`)
}

async function rehearse(): Promise<void> {
  const folder = join(ROOT, 'dist', `release-${version}-dry-run`)
  await makePackages(folder, version, [THIS_MACHINE])
  say(`Would test, write ${version} into ${CHANGED.join(', ')}, commit, and tag v${version}.`)
  say(`Would pack for ${TARGETS.join(', ')}; for ${THIS_MACHINE} it is in dist/release-${version}-dry-run/.`)
  say(`Notes:\n\n${unreleasedNotes(await read('CHANGELOG.md'), version)}`)
}

const reason = await refusal()
if (reason !== undefined) say(reason)
else await (isDryRun ? rehearse() : release())
process.exit(reason === undefined ? 0 : 1)
