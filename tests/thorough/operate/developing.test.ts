import { expect } from 'bun:test'
import { readdir, writeFile } from 'node:fs/promises'
import client from '../../../client/package.json' with { type: 'json' }
import { RELEASE } from '../../../src/release.ts'
import { needs } from '../../support/programs/needs.ts'
import { ProjectCopy } from '../../support/project/copy.ts'
import { freshSqliteUrl } from '../../support/service/folder.ts'
import { Output } from '../../support/service/log.ts'
import { environmentWith, eventually } from '../../support/service/process.ts'

const { beforeAll, test } = needs('git')

/** A version above any release of this project. */
const NEXT = '99.0.0'
const NOTES = `## [${NEXT}] - Unreleased\n\n### Added\n\n- Something.\n\n`

let project: ProjectCopy
beforeAll(async () => {
  project = await ProjectCopy.make()
  const changelog = Bun.file(project.path('CHANGELOG.md'))
  await Bun.write(changelog, (await changelog.text()).replace('## [', `${NOTES}## [`))
  const ofClient = Bun.file(project.path('client/CHANGELOG.md'))
  await Bun.write(ofClient, (await ofClient.text()).replace('## ', `## ${NEXT}\n\n- Something.\n\n## `))
  await project.git('commit', '--quiet', '--all', '-m', 'Tell what is new')
})

const release = (...args: string[]) => project.run('npm', 'run', '--silent', 'release', '--', ...args)

test('npm run hooks lets git refuse a commit that is not formatted, and take one that is', async () => {
  expect((await project.run('npm', 'run', '--silent', 'hooks')).code).toBe(0)
  await writeFile(project.path('src/config/duration.ts'), 'export   const untidy = "x";\n')
  await project.git('add', '--all')
  const refused = await project.git('commit', '-m', 'Untidy')
  expect(refused.code).not.toBe(0)
  expect(refused.output).toContain('src/config/duration.ts')
  await project.git('reset', '--hard', '--quiet')
  await writeFile(project.path('notes.md'), 'Tidy.\n')
  await project.git('add', '--all')
  expect((await project.git('commit', '--quiet', '-m', 'Tidy')).code).toBe(0)
})

test('npm run dev serves what was just saved', async () => {
  const output = new Output()
  const development = Bun.spawn(['npm', 'run', 'dev', '--', '--port', '0'], {
    cwd: project.folder,
    env: environmentWith({ DATABASE_URL: await freshSqliteUrl() }),
    stdio: ['ignore', output.file, 'ignore'],
    detached: true,
  })
  const listening = () => output.log.filter(({ event }) => event === 'listening')
  const refusal = async () => (await fetch(`${listening().at(-1)?.url}/v1/pets`)).text()
  await eventually('it listens', () => listening().length > 0 || undefined)
  const file = Bun.file(project.path('src/contract/errors.ts'))
  const source = await file.text()
  await Bun.write(file, source.replaceAll('This request needs an API key', 'Just saved'))
  await eventually('it listens again', () => listening().length > 1 || undefined)
  const seen = await refusal()
  process.kill(-development.pid, 'SIGTERM')
  await development.exited
  await Bun.write(file, source)
  expect(seen).toContain('Just saved')
})

test('a release is refused without a version, of an old one, without notes, and from a tree that is not clean', async () => {
  const reasons: [string[], RegExp][] = [
    [[], /Say which version/],
    [['1.0'], /Say which version/],
    [[NEXT, '--yes'], /Say which version/],
    [['0.9.0'], /lies before/],
    [['98.0.0'], /has no notes/],
  ]
  for (const [args, reason] of reasons) {
    const { code, output } = await release(...args, '--dry-run')
    expect({ code, output }).toEqual({ code: 1, output: expect.stringMatching(reason) })
  }
  await writeFile(project.path('stray.txt'), 'not committed')
  const dirty = await release(NEXT, '--dry-run')
  expect(dirty).toEqual({ code: 1, output: expect.stringContaining('not clean') })
  await project.run('rm', 'stray.txt')
})

test('a rehearsed release packs everything with right checksums, and leaves the repository as it is', async () => {
  const state = async () =>
    (await project.git('show-ref')).output + (await project.git('status', '--porcelain')).output
  const before = await state()
  const { code, output } = await release(NEXT, '--dry-run')
  expect(output).toContain(`Would test, write ${NEXT}`)
  expect(code).toBe(0)
  expect(await state()).toBe(before)
  const folder = project.path(`dist/release-${NEXT}-dry-run`)
  const machine = `${process.platform}-${process.arch}`
  expect((await readdir(folder)).toSorted()).toEqual(
    [
      'SHA256SUMS',
      `petstore-${NEXT}-source.tar.gz`,
      `petstore-${NEXT}.cdx.json`,
      `petstore-${NEXT}-${machine}.tar.gz`,
      `petstore-client-${client.version}.tgz`,
    ].toSorted(),
  )
  const checked = await project.run('sh', '-c', `cd ${folder} && sha256sum --check --strict SHA256SUMS`)
  expect(checked.code).toBe(0)
  const unpacked = await project.run(
    ...[
      'sh',
      '-c',
      `cd ${folder} && tar -xzf petstore-${NEXT}-${machine}.tar.gz && petstore-*-${machine}/petstore --version`,
    ],
  )
  expect(unpacked).toEqual({ code: 0, output: `${RELEASE}\n` })
})
