import { beforeAll, expect, test } from 'bun:test'
import { join } from 'node:path'
import { build } from '../../../scripts/build/build.ts'
import { petJson } from '../../support/http/exact.ts'
import { freshFolder } from '../../support/service/folder.ts'
import { Output } from '../../support/service/log.ts'
import { API_KEY } from '../../support/service/service.ts'

let binary: string
beforeAll(async () => {
  binary = join(await freshFolder(), 'petstore')
  await build(binary)
})

test('the one-file program needs nothing beside it, stores an animal and shows its pages', async () => {
  const folder = await freshFolder()
  const output = new Output()
  const errors = new Output()
  const serve = Bun.spawn([binary, 'serve', '--port', '0'], {
    cwd: folder,
    env: { PATH: '', HOME: folder, PETSTORE_API_KEY: API_KEY },
    stdio: ['ignore', output.file, errors.file],
  })
  const { url } = await output.entry(({ event }) => event === 'listening')
  const added = await fetch(new URL('/v1/pets', String(url)), {
    method: 'POST',
    headers: { Authorization: `Bearer ${API_KEY}`, 'Content-Type': 'application/json' },
    body: petJson({}),
  })
  expect(added.status).toBe(201)
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
