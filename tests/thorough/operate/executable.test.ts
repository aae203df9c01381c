import { beforeAll, expect, test } from 'bun:test'
import { join } from 'node:path'
import { build } from '../../../scripts/build/build.ts'
import { freshFolder } from '../../support/service/folder.ts'
import { Output } from '../../support/service/log.ts'
import { environmentWith } from '../../support/service/process.ts'

let binary: string
beforeAll(async () => {
  binary = join(await freshFolder(), 'petstore')
  await build(binary)
})

/** A few suites here; `npm run test:executable` runs all of them. */
test.each(['contract/create', 'contract/idempotency', 'contract/deprecation', 'operate/scheduled-backups'])(
  'the one-file program passes tests/%s on SQLite',
  async suite => {
    const child = Bun.spawn([process.execPath, 'test', `tests/${suite}.test.ts`], {
      cwd: join(import.meta.dir, '../../..'),
      env: environmentWith({ PETSTORE_TEST_BINARY: binary, PETSTORE_TEST_ENGINE: 'sqlite' }),
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    const [code, report] = await Promise.all([child.exited, child.stderr.text()])
    expect(report).toMatch(/\n [1-9]\d* pass\n 0 fail\n/)
    expect(code).toBe(0)
  },
)

test('the one-file program needs nothing beside it, shows its pages, and speaks of itself by its own name', async () => {
  const folder = await freshFolder()
  const output = new Output()
  const errors = new Output()
  const serve = Bun.spawn([binary, 'serve', '--port', '0'], {
    cwd: folder,
    env: { PATH: '', HOME: folder },
    stdio: ['ignore', output.file, errors.file],
  })
  const { url } = await output.entry(({ event }) => event === 'listening')
  expect(output.text).toContain('Make one: petstore keys create')
  const page = await fetch(String(url))
  expect(page.status).toBe(200)
  const [, script = ''] = /src="([^"]+\.js)"/.exec(await page.text()) ?? []
  expect((await fetch(new URL(script, String(url)))).status).toBe(200)
  // A new one can be built while the old one runs.
  await build(binary)
  serve.kill('SIGTERM')
  expect(await serve.exited).toBe(0)
  expect(errors.text).toBe('')
})
