import { beforeAll, expect, test } from 'bun:test'
import { join } from 'node:path'
import { build } from '../../../scripts/build/build.ts'
import { freshFolder, Output } from '../../support/process.ts'

let binary: string
beforeAll(async () => {
  binary = join(await freshFolder(), 'petstore')
  await build(binary)
})

test('the one-file program needs nothing beside it, serves API and pages, and can be replaced while it runs', async () => {
  const folder = await freshFolder()
  const key = 'key-of-the-executable-0123456789'
  const output = new Output()
  const errors = new Output()
  const serve = Bun.spawn([binary, 'serve', '--port', '0'], {
    cwd: folder,
    env: { PATH: '', HOME: folder, PETSTORE_API_KEY: key },
    stdio: ['ignore', output.file, errors.file],
  })
  const { url } = await output.entry(({ event }) => event === 'listening')
  const headers = { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' }
  const body = '{"name":"Rex","categoryId":9007199254740993}'
  const added = await fetch(`${url}/v1/pets`, { method: 'POST', headers, body })
  expect([added.status, await added.text()]).toEqual([
    201,
    '{"id":1,"name":"Rex","categoryId":9007199254740993,"status":"available"}',
  ])
  for (const page of ['/', '/docs']) {
    const text = await (await fetch(`${url}${page}`)).text()
    const [, script = ''] = /src="([^"]+\.js)"/.exec(text) ?? []
    expect((await fetch(new URL(script, `${url}/`))).status).toBe(200)
  }
  await build(binary)
  serve.kill('SIGTERM')
  expect(await serve.exited).toBe(0)
  expect(errors.text).toBe('')
})
