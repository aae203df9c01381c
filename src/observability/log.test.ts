import { describe, expect, test } from 'bun:test'
import { spawnSync } from 'node:child_process'
import { closeSync, mkdtempSync, openSync, readFileSync, readSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Event, levelOf } from './events.ts'
import { jsonLine, Log, lineRenderer, readableLine } from './log.ts'

const TIME = new Date(2027, 0, 15, 12, 34, 56)
const REQUEST: Event = {
  kind: 'request',
  method: 'GET',
  route: '/v1/pets',
  operation: 'listPets',
  status: 200,
  durationMs: 1.2604,
  requestId: 'r1',
  keyId: 'key_1',
  authFailure: undefined,
}
const EVIL = 'a\nb\r\u001b[2J\u0007\u0000\u009b31m\u2028\u2029\u007f\u202e'
const readable = (event: Event): string => readableLine(event, levelOf(event), TIME)

describe('a readable line', () => {
  test('is time, level, event and its fields as key=value', () => {
    expect(readable(REQUEST)).toBe(
      '12:34:56 info  request method=GET route=/v1/pets operation=listPets status=200 durationMs=1.26 requestId=r1 keyId=key_1',
    )
  })

  test('shows control characters instead of obeying them', () => {
    const cause = new Error(EVIL, { cause: EVIL })
    const text = readable({ kind: 'request-failed', requestId: EVIL, code: EVIL, cause })
    expect(text).not.toMatch(/[\p{Cc}\p{Cf}\u2028\u2029]/u)
    expect(text).toContain('\\u001b[2J')
  })

  test('follows the chain of causes', () => {
    const cause = new Error('outer', { cause: new Error('inner') })
    expect(readable({ kind: 'background-task-failed', task: 'x', cause })).toEndWith('cause="outer (inner)"')
  })

  test('quotes text that could look like another field, and shows null', () => {
    for (const [madeAt, shown] of [
      ['a=b', '"a=b"'],
      ['a"b', '"a\\"b"'],
      [null, 'null'],
    ] as const)
      expect(readable({ kind: 'backup-is-old', madeAt })).toEndWith(`backup-is-old madeAt=${shown}`)
  })
})

describe('a JSON line', () => {
  test('is one line of JSON, whatever an error says, with the chain of causes', () => {
    const cause = new Error(EVIL, { cause: new Error('inner') })
    const line = jsonLine({ kind: 'background-task-failed', task: EVIL, cause }, 'error', 'now')
    expect(line).not.toContain('\n')
    expect(JSON.parse(line)).toMatchObject({
      event: 'background-task-failed',
      task: EVIL,
      cause: { message: EVIL, stack: cause.stack, cause: { message: 'inner' } },
    })
  })

  test('of a request has its fields, and no operation: the route says it', () => {
    expect(JSON.parse(jsonLine(REQUEST, 'info', 'now'))).toEqual({
      time: 'now',
      level: 'info',
      event: 'request',
      method: 'GET',
      route: '/v1/pets',
      status: 200,
      durationMs: 1.26,
      requestId: 'r1',
      keyId: 'key_1',
    })
  })
})

test('each line has the time of its own event', () => {
  const render = lineRenderer({ format: 'json', level: 'info' })
  const times = [1000, 1000, 2000].map(at => JSON.parse(render(REQUEST, at) ?? '').time)
  expect(times).toEqual([1000, 1000, 2000].map(at => new Date(at).toISOString()))
})

test('what somebody must look at now is an error', () => {
  const kinds =
    'request-failed thread-ended background-task-failed storage-stalled database-refused stopped-by-force'
  const levels = kinds.split(' ').map(kind => [kind, levelOf({ kind } as Event)])
  expect(levels).toEqual(kinds.split(' ').map(kind => [kind, 'error']))
})

test('ordinary events are not warnings', () => {
  const kinds = 'request listening metrics-listening draining stopped batch-stored'
  const levels = kinds.split(' ').map(kind => levelOf({ kind } as Event))
  expect(levels).toEqual(['info', 'info', 'info', 'info', 'info', 'debug'])
})

test('events below the level are left out, and one that cannot be rendered loses no other', async () => {
  const path = join(mkdtempSync(join(tmpdir(), 'petstore-log-')), 'log')
  const log = new Log(Bun.file(path), { format: 'json', level: 'info' })
  const circle: Record<string, unknown> = {}
  circle.self = circle
  log.add({ ...REQUEST, route: '/livez' })
  log.add({ kind: 'background-task-failed', task: 'x', cause: circle })
  for (let n = 0; n < 100; n++) log.add({ ...REQUEST, requestId: `r${n}` })
  await log.close()
  const lines = readFileSync(path, 'utf8').trimEnd().split('\n')
  const entries = lines.map(line => JSON.parse(line) as { event: string; requestId?: string })
  expect(entries[0]?.event).toBe('log-line-failed')
  expect(entries.slice(1).map(({ requestId }) => requestId)).toEqual(
    Array.from({ length: 100 }, (_, n) => `r${n}`),
  )
})

test('an end waits for the lines that were added while others were written', async () => {
  const written: string[] = []
  const write = (text: string) => Bun.sleep(1).then(() => void written.push(text))
  const file = { writer: () => ({ write, flush: async () => {} }) }
  const log = new Log(file as never, { format: 'json', level: 'info' })
  for (const line of ['first', 'second']) log.print(line)
  await log.close()
  expect(written).toEqual(['first\n', 'second\n'])
})

test('a reader that stalls holds up no end and fills no memory, and learns once how many lines it missed', async () => {
  const path = join(mkdtempSync(join(tmpdir(), 'petstore-log-')), 'pipe')
  spawnSync('mkfifo', [path])
  const pipe = openSync(path, 'r+')
  const log = new Log(Bun.file(path), { format: 'json', level: 'info' })
  // One is being written, four wait, and three are too many, with a line more each.
  for (let n = 0; n < 8; n++) log.print('x'.repeat(1024 * 1024) + (n < 5 ? '' : '\nx'))
  await log.close()
  const reader = Bun.spawn(['cat', path])
  let text = ''
  for await (const chunk of reader.stdout.pipeThrough(new TextDecoderStream())) {
    text += chunk
    if (text.endsWith('}\n')) log.print('the end')
    if (text.endsWith('the end\n')) break
  }
  reader.kill()
  closeSync(pipe)
  const [report = '', ...more] = text.split('\n').filter(line => !line.startsWith('x'))
  expect(JSON.parse(report)).toMatchObject({ event: 'log-lines-dropped', count: 6 })
  expect([text.match(/x+/g)?.length, more]).toEqual([5, ['the end', '']])
})

test('lines that are lost with their reader are counted, and the next line that is written follows their number', async () => {
  const path = join(mkdtempSync(join(tmpdir(), 'petstore-log-')), 'pipe')
  spawnSync('mkfifo', [path])
  const first = openSync(path, 'r+')
  const log = new Log(Bun.file(path), { format: 'json', level: 'info' })
  const print = async (text: string): Promise<void> => {
    log.print(text)
    await log.close()
  }
  await print('the first')
  closeSync(first)
  for (const text of ['two\nlines', 'another']) await print(text)
  const next = openSync(path, 'r+')
  for (const text of ['the next', 'the last']) await print(text)
  const bytes = Buffer.alloc(1000)
  const lines = bytes.toString('utf8', 0, readSync(next, bytes)).split('\n')
  closeSync(next)
  const [report = ''] = lines.splice(-3, 1)
  expect(lines).toEqual(['the first', '', 'the next', 'the last', ''])
  expect(JSON.parse(report)).toMatchObject({ event: 'log-lines-dropped', level: 'warn', count: 3 })
})
