import { expect } from 'bun:test'
import { writeFile } from 'node:fs/promises'
import { needs } from '../../support/programs/needs.ts'
import { ProjectCopy } from '../../support/project/copy.ts'
import { freshSqliteUrl } from '../../support/service/folder.ts'
import { Output } from '../../support/service/log.ts'
import { environmentWith, eventually } from '../../support/service/process.ts'

const { beforeAll, test } = needs('git')

let project: ProjectCopy
beforeAll(async () => {
  project = await ProjectCopy.make()
})

test('the hook lets git refuse a commit that is not formatted, and take one that is', async () => {
  await project.git('config', 'core.hooksPath', '.githooks')
  await writeFile(project.path('src/main.ts'), 'export   const untidy = "x";\n')
  await project.git('add', '--all')
  const refused = await project.git('commit', '-m', 'Untidy')
  expect(refused.code).not.toBe(0)
  expect(refused.output).toContain('src/main.ts')
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
  await eventually('it listens', () => listening().length > 0 || undefined)
  const file = Bun.file(project.path('src/contract/errors.ts'))
  await Bun.write(file, (await file.text()).replaceAll('This request needs an API key', 'Just saved'))
  await eventually('it listens again', () => listening().length > 1 || undefined)
  const refusal = await (await fetch(`${listening().at(-1)?.url}/v1/pets`)).text()
  process.kill(-development.pid, 'SIGTERM')
  await development.exited
  expect(refusal).toContain('Just saved')
})

test('a release is refused without a version, without notes, and from a tree that is not clean', async () => {
  const release = (...args: string[]) => project.run('npm', 'run', '--silent', 'release', '--', ...args)
  const reasons: [string[], RegExp][] = [
    [[], /Say which version/],
    [['1.0'], /Say which version/],
    [['98.0.0'], /CHANGELOG.md has no/],
  ]
  await project.git('reset', '--hard', '--quiet')
  for (const [args, reason] of reasons)
    expect(await release(...args)).toEqual({ code: 1, output: expect.stringMatching(reason) })
  await writeFile(project.path('stray.txt'), 'not committed')
  expect(await release('99.0.0')).toEqual({ code: 1, output: expect.stringContaining('Commit or remove') })
})
