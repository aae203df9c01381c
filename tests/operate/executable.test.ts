import { beforeAll, expect, test } from 'bun:test'
import { join } from 'node:path'
import { build } from '../../scripts/build.ts'
import { freshFolder } from '../support/folder.ts'
import { environmentWith } from '../support/process.ts'

const BUILD_MS = 60_000
const SUITE_MS = 120_000

let binary: string
beforeAll(async () => {
  binary = join(await freshFolder(), 'petstore')
  expect(await build(binary)).toBe(true)
}, BUILD_MS)

/** A handful here; `npm run test:executable` runs them all. */
test.each(['contract/create', 'contract/idempotency', 'contract/deprecation', 'operate/scheduled-backups'])(
  'the one-file program passes tests/%s on SQLite',
  async suite => {
    const child = Bun.spawn([process.execPath, 'test', `tests/${suite}.test.ts`, '--timeout', '60000'], {
      cwd: join(import.meta.dir, '../..'),
      env: environmentWith({ PETSTORE_TEST_BINARY: binary, PETSTORE_TEST_ENGINE: 'sqlite' }),
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    const [code, report] = await Promise.all([child.exited, child.stderr.text()])
    expect(report).toMatch(/\n [1-9]\d* pass\n 0 fail\n/)
    expect(code).toBe(0)
  },
  SUITE_MS,
)

test('the one-file program needs nothing beside it, and speaks of itself by its own name', async () => {
  const folder = await freshFolder()
  const serve = Bun.spawn([binary, 'serve', '--port', '0'], {
    cwd: folder,
    env: { PATH: '', HOME: folder },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const lines = serve.stdout.pipeThrough(new TextDecoderStream())[Symbol.asyncIterator]()
  const { value = '' } = await lines.next()
  expect(value).toContain('Make one: petstore keys create')
  serve.kill('SIGTERM')
  expect(await serve.exited).toBe(0)
  expect(await serve.stderr.text()).toBe('')
})
