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

test('a terminal shows a count that redraws its own line and ends complete; a log gets none', () => {
  const shown = [true, false].map(isTTY => {
    let text = ''
    const progress = startProgress('Importing', 4000, { isTTY, write: part => (text += part) })
    progress.advance(1000)
    progress.advance(3000)
    progress.end()
    return text
  })
  expect(shown).toEqual(['\rImporting 1,000 of 4,000\rImporting 4,000 of 4,000\n', ''])
})
