import { describe, expect, test } from 'bun:test'
import { readableLine } from './readable.ts'

const TIME = new Date(2027, 0, 15, 12, 34, 56)
const plain = (line: string): string => Bun.stripANSI(line)

describe('a readable line', () => {
  test('tells of a request: time, level, method, route, status, duration, request and key', () => {
    const line = readableLine(
      {
        kind: 'request',
        method: 'GET',
        route: '/v1/pets',
        operation: 'listPets',
        status: 200,
        durationMs: 1.26,
        requestId: 'r1',
        keyId: 'key_1',
        refusal: undefined,
      },
      'info',
      TIME,
    )
    expect(plain(line)).toBe('12:34:56 info  GET /v1/pets 200 1.3 ms  r1 key_1')
  })

  test('shows control characters instead of obeying them', () => {
    const evil = 'a\nb\r\u001b[2J\u0007\u0000\u009b31m\u2028\u2029\u007f'
    for (const event of [
      {
        kind: 'request-failed',
        requestId: evil,
        code: evil,
        cause: new Error(evil, { cause: evil }),
      } as const,
      { kind: 'background-task-failed', task: evil, cause: evil } as const,
      { kind: 'listening', url: evil, environment: evil, database: evil } as const,
      { kind: 'draining', signal: evil } as const,
    ]) {
      const text = plain(readableLine(event, 'error', TIME))
      expect(text).not.toMatch(/[\p{Cc}\u2028\u2029]/u)
      expect(text).toContain('\\u001b[2J')
      expect(text).toContain('a\\u000ab')
    }
  })

  test('follows the chain of causes', () => {
    const cause = new Error('outer', { cause: new Error('inner') })
    const line = readableLine(
      { kind: 'request-failed', requestId: 'r1', code: 'internal_error', cause },
      'error',
      TIME,
    )
    expect(plain(line)).toEndWith('request r1 failed with internal_error: outer (inner)')
  })

  test('says how many requests were left unanswered, if any', () => {
    expect(plain(readableLine({ kind: 'stopped', unanswered: 0 }, 'info', TIME))).toEndWith('stopped')
    expect(plain(readableLine({ kind: 'stopped', unanswered: 2 }, 'info', TIME))).toEndWith(
      'with 2 requests unanswered',
    )
  })

  test('counts one thing as one', () => {
    const backup = { kind: 'backup-made', file: 'b.db', animals: 1, bytes: 1, durationMs: 1 } as const
    for (const [event, said] of [
      [{ kind: 'stopped', unanswered: 1 }, 'with 1 request unanswered'],
      [{ kind: 'log-lines-dropped', count: 1 }, '1 line of this log was dropped'],
      [{ kind: 'spans-dropped', count: 1 }, '1 span was not sent'],
      [backup, 'backed up 1 animal to b.db'],
    ] as const)
      expect(plain(readableLine(event, 'info', TIME))).toContain(said)
  })
})
