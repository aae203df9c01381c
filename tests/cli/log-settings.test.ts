import { describe, expect, test } from 'bun:test'
import { petJson } from '../support/http/exact.ts'
import { freePort } from '../support/http/free-port.ts'
import { freshSqliteUrl } from '../support/service/folder.ts'
import { commandLine, environmentWith, eventually, type Variables } from '../support/service/process.ts'
import { ServiceProcess } from '../support/service/service-process.ts'

const ESCAPE = '\u001b'

/** What a service prints from start to stop, with one request that adds an animal. */
async function printed(variables: Variables): Promise<string> {
  const port = String(await freePort())
  const databaseUrl = await freshSqliteUrl()
  const service = new ServiceProcess({ databaseUrl, variables: { PORT: port, ...variables } })
  service.url = `http://127.0.0.1:${port}`
  // Polls the service, because not every log says that it listens.
  await eventually('it answers', async () => {
    const response = await fetch(`${service.url}/livez`).catch(() => undefined)
    return response?.ok || undefined
  })
  await service.post(petJson({}))
  expect(await service.stop()).toBe(0)
  return service.output.text
}

const eventsOf = (log: string): Set<string> =>
  new Set([...log.matchAll(/"event":"([\w-]+)"/g)].map(([, event = '']) => event))

describe('LOG_LEVEL', () => {
  const usual = ['listening', 'request', 'draining', 'stopped']
  test.each([
    ['debug', [...usual, 'batch-stored']],
    ['info', usual],
    ['warn', []],
    ['error', []],
  ])('%s', async (level, events) => {
    expect(eventsOf(await printed({ LOG_LEVEL: level }))).toEqual(new Set(events))
  })

  test('warn leaves in what is to be done', async () => {
    const log = await printed({ LOG_LEVEL: 'warn', PETSTORE_API_KEY: '' })
    expect(eventsOf(log)).toEqual(new Set(['no-api-key']))
  })
})

describe('LOG_FORMAT', () => {
  test('json is what auto is where there is no terminal', async () => {
    for (const format of ['json', 'auto'])
      for (const line of (await printed({ LOG_FORMAT: format })).trim().split('\n'))
        expect(JSON.parse(line)).toContainKeys(['time', 'level', 'event'])
  })

  test('readable is for people, without colours where there is no terminal', async () => {
    const log = await printed({ LOG_FORMAT: 'readable' })
    expect(log).toMatch(/^\d\d:\d\d:\d\d info {2}production is listening on http/)
    expect(log).toMatch(/POST \/v1\/pets 201/)
    expect(log).not.toContain(ESCAPE)
  })

  test('json in a terminal is JSON all the same', async () => {
    const { text } = await serveInTerminal({ LOG_FORMAT: 'json' })
    expect(text).toContain('"event":"listening"')
  })
})

describe('colours of the log', () => {
  test('are there with FORCE_COLOR where there is no terminal', async () => {
    expect(await printed({ LOG_FORMAT: 'readable', FORCE_COLOR: '1' })).toContain(`${ESCAPE}[32minfo`)
  })

  test.each<[Variables, boolean]>([
    [{}, true],
    [{ NO_COLOR: '1' }, false],
    [{ NO_COLOR: '' }, true],
    [{ NO_COLOR: '1', FORCE_COLOR: '1' }, false],
    [{ FORCE_COLOR: '0' }, false],
    [{ TERM: 'dumb' }, false],
    [{ TERM: 'dumb', FORCE_COLOR: '1' }, true],
  ])('in a terminal with %p: %p', async (variables, expected) => {
    const { text } = await serveInTerminal(variables)
    expect(text).toContain('is listening on')
    expect(text.includes(ESCAPE)).toBe(expected)
  })
})

/** Serves in a terminal until the service listens, then ends it. */
async function serveInTerminal(variables: Variables): Promise<{ text: string }> {
  const decoder = new TextDecoder()
  let text = ''
  const child = Bun.spawn(commandLine('serve', '--port', '0'), {
    env: environmentWith({ TERM: 'xterm', DATABASE_URL: await freshSqliteUrl(), ...variables }),
    terminal: { cols: 100, rows: 30, data: (_, chunk) => (text += decoder.decode(chunk, { stream: true })) },
  })
  await eventually('it listens', () => /listening/.test(text) || undefined)
  child.kill('SIGTERM')
  expect(await child.exited).toBe(0)
  child.terminal?.close()
  return { text }
}
