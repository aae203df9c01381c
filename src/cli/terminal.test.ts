import { expect, test } from 'bun:test'
import { startProgress, table } from './terminal.ts'

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
  const lines = table(['ID', 'NAME', 'STATUS'], rows, { width: 30 }).split('\n')
  for (const line of lines) expect(Bun.stringWidth(line)).toBeLessThanOrEqual(30)
  expect(lines[1]).toMatch(/^1 {3}(🐈)+… +sold$/u)
  expect(lines[2]).toMatch(/^2 {3}Rex +sold$/)
})

const screen = (isTTY: boolean) => ({
  isTTY,
  columns: 60,
  text: '',
  write(text: string) {
    this.text += text
  },
})

test('a terminal shows a bar that redraws its own line, never wraps, and ends complete', () => {
  const terminal = screen(true)
  const progress = startProgress('Importing', 4000, terminal)
  progress.advance(1000)
  progress.advance(3000)
  progress.end()
  const states = terminal.text.split('\r')
  expect(states[1]).toContain('[######..................]  25 %  1,000')
  expect(states.at(-1)).toContain('[########################] 100 %  4,000')
  expect(terminal.text.match(/\n/g)).toHaveLength(1)
  const narrow = screen(true)
  startProgress('Importing '.repeat(20), undefined, narrow).advance(1)
  expect(Bun.stringWidth(narrow.text)).toBeLessThan(60)
})

test('a log gets no bar', () => {
  const log = screen(false)
  const progress = startProgress('Importing', 2, log)
  progress.advance(2)
  progress.end()
  expect(log.text).toBe('')
})
