import { expect, test } from 'bun:test'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { eventually, freePort, freshFolder, freshSqliteUrl, inTerminal } from '../support/process.ts'
import { startProcess, startService } from '../support/service.ts'

const KEY = /pets_(?:live|test)_[0-9A-Za-z]{33}/g

/** Serves in a terminal until Ctrl-C, which a person presses once the service listens. */
async function serveInTerminal(databaseUrl: string, flags: readonly string[] = [], ...within: string[]) {
  const ctrlC = { to: 'threads', with: '\x03' }
  const serving = ['serve', '--env', 'staging', ...flags, '--port', '0']
  const { code, text } = await inTerminal(serving, { DATABASE_URL: databaseUrl }, ctrlC, within)
  expect(code).toBe(0)
  return text.replaceAll('\r\n', '\n')
}

test('serve --welcome in a terminal makes the first key and shows it once, with a command that works; serve makes none', async () => {
  const databaseUrl = await freshSqliteUrl()
  const plain = await serveInTerminal(databaseUrl)
  expect(plain).toMatch(/no-api-key .* --env staging/)
  expect(plain).not.toMatch(KEY)
  const first = await serveInTerminal(databaseUrl, ['--welcome'])
  const [key = '', ...others] = new Set(first.match(KEY))
  expect(others).toEqual([])
  const [, url = ''] = /listening url=(http:\S+) /.exec(first) ?? []
  for (const path of ['/', '/docs', '/v1', '/openapi.json', '/livez', '/readyz'])
    expect(first).toContain(url + path)
  // A command in a second terminal does not know the port of this one.
  expect(first).toContain(`export PETSTORE_BASE_URL='${url}/v1'`)
  const [, address, body = ''] = /curl -X POST (\S+) \\[\s\S]*?-d '([^']+)'/.exec(first) ?? []
  expect(address).toBe(`${url}/v1/pets`)
  using service = await startService({
    databaseUrl,
    variables: { PETSTORE_ENV: 'staging', PETSTORE_SERVER_API_KEY: '' },
  })
  expect(await service.post(body, {}, key)).toHaveStatus(201)
  const second = await serveInTerminal(databaseUrl, ['--welcome'])
  expect(second).toMatch(/Create an API key: .* --env staging\n/)
  expect(second).not.toMatch(KEY)
})

test('serve --welcome with piped output prints only its log, and no key', async () => {
  const databaseUrl = await freshSqliteUrl()
  // Only the standard output is a pipe.
  const piped = ['sh', '-c', 'trap "" INT; "$@" | cat', 'sh']
  const text = await serveInTerminal(databaseUrl, ['--welcome'], ...piped)
  const lines = text.replace('^C', '').trimEnd().split('\n')
  const { hint, level } = lines.map(line => JSON.parse(line)).find(({ event }) => event === 'no-api-key')
  expect([level, hint]).toEqual(['warn', expect.stringContaining('./petstore keys create --name')])
  expect(text).not.toMatch(KEY)
})

test('systemd is told once the service listens', async () => {
  const folder = await freshFolder()
  const told = join(folder, 'told')
  const port = String(freePort())
  const asks = `'${process.execPath}' -e 'await fetch("http://127.0.0.1:${port}")'`
  const script = `#!/bin/sh\n${asks} && echo "$@" >> '${told}'\n`
  writeFileSync(join(folder, 'systemd-notify'), script, { mode: 0o755 })
  const variables = {
    PORT: port,
    NOTIFY_SOCKET: '/run/systemd/notify',
    PATH: `${folder}:${process.env.PATH}`,
  }
  const service = await startProcess({ variables })
  const text = () => (existsSync(told) && readFileSync(told, 'utf8')) || undefined
  expect(await eventually('it is told', text)).toBe('--ready\n')
  expect(await service.stop()).toBe(0)
})
