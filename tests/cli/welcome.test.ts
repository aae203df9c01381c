import { expect, test } from 'bun:test'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { loadConfig } from '../../src/config/load.ts'
import { welcome } from '../../src/service/welcome.ts'
import { commandLine, environmentWith, eventually, freshFolder, freshSqliteUrl } from '../support/process.ts'
import { startProcess } from '../support/service.ts'
import { openStore } from '../support/store.ts'

const KEY = /pets_(?:live|test)_[0-9A-Za-z]{33}/g

/** The output of `serve` as a person sees it. */
async function serveInTerminal(databaseUrl: string, ...flags: string[]) {
  const decoder = new TextDecoder()
  let shown = ''
  const child = Bun.spawn(commandLine('serve', ...flags, '--port', '0'), {
    env: environmentWith({ DATABASE_URL: databaseUrl }),
    terminal: { cols: 120, rows: 40, data: (_, chunk) => (shown += decoder.decode(chunk, { stream: true })) },
  })
  const url = await eventually('it listens', () => /listening url=(http:\S+) /.exec(shown)?.[1])
  return {
    url,
    text: shown.replaceAll('\r\n', '\n'),
    stop: async (): Promise<number> => {
      child.kill('SIGTERM')
      const code = await child.exited
      child.terminal?.close()
      return code
    },
  }
}

test('serve --welcome in a terminal makes the first key and shows it once, with a command that works; serve makes none', async () => {
  const databaseUrl = await freshSqliteUrl()
  const plain = await serveInTerminal(databaseUrl)
  expect(plain.text).toContain('no-api-key')
  expect(plain.text).not.toMatch(KEY)
  expect(await plain.stop()).toBe(0)
  const first = await serveInTerminal(databaseUrl, '--welcome')
  const [key = '', ...others] = new Set(first.text.match(KEY))
  expect(others).toEqual([])
  for (const path of ['/', '/docs', '/v1', '/openapi.json', '/livez', '/readyz'])
    expect(first.text).toContain(first.url + path)
  // A command in a second terminal does not know the port of this one.
  expect(first.text).toContain(`export PETSTORE_BASE_URL='${first.url}/v1'`)
  const [, address, body = ''] = /curl -X POST (\S+) \\[\s\S]*?-d '([^']+)'/.exec(first.text) ?? []
  expect(address).toBe(`${first.url}/v1/pets`)
  const headers = { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' }
  expect((await fetch(`${first.url}/v1/pets`, { method: 'POST', body, headers })).status).toBe(201)
  expect(await first.stop()).toBe(0)

  const second = await serveInTerminal(databaseUrl, '--welcome')
  expect(second.text).toContain('Create an API key:')
  expect(second.text).not.toMatch(KEY)
  expect((await fetch(`${second.url}/v1/pets`, { headers })).status).toBe(200)
  expect(await second.stop()).toBe(0)
})

test('the welcome at the default address, which commands know, sets none, and without a console names no page', () => {
  const text = welcome('http://127.0.0.1:8080', loadConfig({ hasConsole: 'off' }, {}), 'key')
  expect(text).toContain("export PETSTORE_API_KEY='key'\n\n")
  expect(text).not.toMatch(/PETSTORE_BASE_URL|\/docs/)
})

test('serve --welcome elsewhere prints nothing but its log and makes no key, since a log file would keep it', async () => {
  const service = await startProcess({ variables: { PETSTORE_SERVER_API_KEY: '' }, flags: ['--welcome'] })
  const { hint, level } = await service.output.entry(line => line.event === 'no-api-key')
  expect([level, hint]).toEqual(['warn', expect.stringContaining('./petstore keys create --name')])
  expect(await service.stop()).toBe(0)
  expect(service.output.lines.filter(line => !line.startsWith('{'))).toEqual([])
  await using store = await openStore(service.options.databaseUrl, { create: false })
  expect(await store.keys.list()).toEqual([])
})

test('systemd is told once the service listens', async () => {
  const folder = await freshFolder()
  const told = join(folder, 'told')
  writeFileSync(join(folder, 'systemd-notify'), `#!/bin/sh\necho "$@" >> '${told}'\n`, { mode: 0o755 })
  const variables = { NOTIFY_SOCKET: '/run/systemd/notify', PATH: `${folder}:${process.env.PATH}` }
  const service = await startProcess({ variables })
  const text = () => (existsSync(told) && readFileSync(told, 'utf8')) || undefined
  expect(await eventually('it is told', text)).toBe('--ready\n')
  expect(await service.stop()).toBe(0)
})
