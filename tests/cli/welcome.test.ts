import { describe, expect, test } from 'bun:test'
import { needs } from '../support/programs/needs.ts'
import { petstore } from '../support/service/cli.ts'
import { freshSqliteUrl } from '../support/service/folder.ts'
import { commandLine, environmentWith, eventually, HINTED } from '../support/service/process.ts'
import { startProcess } from '../support/service/service-process.ts'

/** The output of `serve --welcome` as a person sees it. */
async function serveInTerminal(databaseUrl: string) {
  const decoder = new TextDecoder()
  let shown = ''
  const child = Bun.spawn(commandLine('serve', '--welcome', '--port', '0'), {
    env: environmentWith({ DATABASE_URL: databaseUrl }),
    terminal: { cols: 120, rows: 40, data: (_, chunk) => (shown += decoder.decode(chunk, { stream: true })) },
  })
  const text = (): string => shown.replaceAll('\r\n', '\n')
  const url = await eventually('it listens', () => /listening url=(http:\S+)/.exec(text())?.[1])
  return {
    url,
    text,
    stop: async (): Promise<number> => {
      child.kill('SIGTERM')
      const code = await child.exited
      child.terminal?.close()
      return code
    },
  }
}

const KEY = /pets_(?:live|test)_[0-9A-Za-z]{33}/g

describe('serve --welcome', () => {
  needs('curl').test(
    'in a terminal makes the first key, shows it once with lines that work, and not at the second start',
    async () => {
      const databaseUrl = await freshSqliteUrl()
      const first = await serveInTerminal(databaseUrl)
      const [key = '', ...repeated] = new Set(first.text().match(KEY))
      expect(repeated).toEqual([])
      for (const path of ['/', '/docs', '/v1', '/openapi.json', '/livez', '/readyz'])
        expect(first.text()).toContain(first.url + path)
      const paste = /^ {2}(export [\s\S]*?-d [^\n]*\n)/m.exec(first.text())?.[1] ?? ''
      const script = paste.replace('Add the first animal:', '').replace('curl', 'curl -sS -w " %{http_code}"')
      const shell = Bun.spawn(['sh', '-c', script], { stdio: ['ignore', 'pipe', 'inherit'] })
      expect(await shell.stdout.text()).toMatch(
        /^\{"id":1,"name":"Rex","categoryId":7,"status":"available"\} 201$/,
      )
      expect(await first.stop()).toBe(0)

      const second = await serveInTerminal(databaseUrl)
      expect(second.text()).toContain('Create an API key:')
      expect(second.text()).not.toMatch(KEY)
      const headers = { Authorization: `Bearer ${key}` }
      expect((await fetch(`${second.url}/v1/pets`, { headers })).status).toBe(200)
      expect(await second.stop()).toBe(0)
    },
  )

  test('elsewhere prints no banner into the lines of JSON and makes no key, since a log file would keep it', async () => {
    const service = await startProcess({
      databaseUrl: await freshSqliteUrl(),
      variables: { PETSTORE_API_KEY: '' },
      flags: ['--welcome'],
    })
    const { hint, level } = await service.output.entry(line => line.event === 'no-api-key')
    expect([level, hint]).toEqual(['warn', expect.stringContaining(`${HINTED} keys create --name`)])
    const { stdout } = await petstore(['keys', 'list', '--json'], {
      DATABASE_URL: service.options.databaseUrl,
    })
    expect(JSON.parse(stdout)).toMatchObject({ keys: [] })
    await service.stop()
    for (const line of service.output.lines) expect(() => JSON.parse(line)).not.toThrow()
    expect(service.output.text + service.errors.text).not.toMatch(KEY)
  })
})
