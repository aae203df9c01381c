import { expect, test } from 'bun:test'
import { cp, mkdir, readFile, symlink } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { RELEASE } from '../../../src/this-program.ts'
import { freshFolder } from '../../support/service/folder.ts'

const ROOT = join(import.meta.dir, '../../..')

const lines = (await readFile(join(ROOT, 'deploy/Containerfile'), 'utf8')).split('\n')
const secondStage = lines.findLastIndex(line => line.startsWith('FROM '))
const of = (instruction: string, stage: readonly string[]): string[] =>
  stage.filter(line => line.startsWith(`${instruction} `)).map(line => line.slice(instruction.length + 1))

test('what the Containerfile copies into its build stage is enough to build the executable', async () => {
  const folder = await freshFolder()
  for (const copied of of('COPY', lines.slice(0, secondStage))) {
    const sources = copied.split(' ')
    const target = join(folder, sources.pop() ?? '')
    for (const source of sources) {
      const isFolder = source.endsWith('/')
      const to = isFolder ? target : join(target, basename(source))
      await mkdir(dirname(to), { recursive: true })
      await cp(join(ROOT, source), to, { recursive: true })
    }
  }
  await symlink(join(ROOT, 'node_modules'), join(folder, 'node_modules'))
  const steps = of('RUN', lines.slice(0, secondStage))
  expect(steps.some(step => step.startsWith('npm run build'))).toBe(true)
  const built = Bun.spawn(['npm', 'run', 'build'], { cwd: folder, stdio: ['ignore', 'ignore', 'pipe'] })
  const [errors, code] = await Promise.all([built.stderr.text(), built.exited])
  expect({ code, errors: code === 0 ? '' : errors }).toEqual({ code: 0, errors: '' })
  const version = Bun.spawnSync([join(folder, 'dist/petstore'), '--version'], { env: {} })
  expect(version.stdout.toString()).toBe(`${RELEASE}\n`)
})

test('the image runs as an ordinary user, tells its health without a shell, and writes to its volume only', () => {
  const image = lines.slice(secondStage)
  expect(of('USER', image)).toEqual(['nonroot'])
  expect(of('VOLUME', image)).toEqual(['/data'])
  expect(of('WORKDIR', image)).toEqual(['/data'])
  expect(of('RUN', image)).toEqual([])
  expect(of('HEALTHCHECK', image)[0]).toEndWith('CMD ["petstore", "ready"]')
  expect([...of('ENTRYPOINT', image), ...of('CMD', image)]).toEqual(['["petstore"]', '["serve"]'])
})
