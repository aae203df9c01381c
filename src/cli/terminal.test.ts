import { afterEach, expect, jest, spyOn, test } from 'bun:test'
import { abortSignal, holdSignals, startProgress, table } from './terminal.ts'

afterEach(() => void jest.useRealTimers())

test('columns are as wide as their widest cell, also where characters are wide, and lines end without blanks', () => {
  const rows = [
    ['1', '猫の店', 'active'],
    ['22', 'shop', ''],
  ]
  expect(table(['ID', 'NAME', 'STATE'], rows)).toBe(
    ['ID  NAME    STATE', '1   猫の店  active', '22  shop', ''].join('\n'),
  )
  expect(table(['ID', 'NAME'], [])).toBe('ID  NAME\n')
})

test('a table fits its width: one column is cut, and nothing is padded beyond', () => {
  const rows = [
    ['1', '🐈'.repeat(255), 'sold'],
    ['2', 'Rex', 'sold'],
  ]
  const lines = table(['ID', 'NAME', 'STATUS'], rows, 30).split('\n')
  for (const line of lines) expect(Bun.stringWidth(line)).toBeLessThanOrEqual(30)
  expect(lines[1]).toMatch(/^1 {3}(🐈)+… +sold$/u)
  expect(lines[2]).toMatch(/^2 {3}Rex +sold$/)
})

test('without a terminal, progress is a line every 10 seconds, until its end', () => {
  jest.useFakeTimers()
  using written = spyOn(process.stderr, 'write').mockReturnValue(true)
  const progress = startProgress('Importing 1,234 animals:')
  progress.advance(1233)
  jest.advanceTimersByTime(9999)
  expect(written).not.toHaveBeenCalled()
  jest.advanceTimersByTime(1)
  progress.end()
  jest.advanceTimersByTime(10_000)
  expect(written.mock.calls).toEqual([['Importing 1,234 animals: 1,233\n']])
})

test.each([
  ['stops the work', abortSignal, 'Stopped by SIGTERM.'],
  ['is ignored', holdSignals, undefined],
])(
  'the first Ctrl-C %s, and the next one ends the process, as if nobody listened',
  (_what, listen, reason) => {
    const listeners = () => ['SIGINT', 'SIGTERM', 'SIGHUP'].map(name => process.listenerCount(name))
    const before = listeners()
    const signal = listen()
    expect(listeners()).toEqual(before.map(count => count + 1))
    for (const name of ['SIGTERM', 'SIGHUP', 'SIGINT'] as const) process.emit(name)
    expect([signal?.reason.message, listeners()]).toEqual([reason, before])
  },
)
