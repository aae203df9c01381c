import { expect, test } from 'bun:test'
import { table } from './table.ts'

test('columns are as wide as their widest cell, also where characters are wide', () => {
  expect(
    table(
      ['ID', 'NAME', 'STATE'],
      [
        ['1', '猫の店', 'active'],
        ['22', 'shop', 'revoked'],
      ],
    ),
  ).toBe(['ID  NAME    STATE', '1   猫の店  active', '22  shop    revoked', ''].join('\n'))
})

test('a table without rows is its head, without white space at the end of the line', () => {
  expect(table(['ID', 'NAME'], [])).toBe('ID  NAME\n')
  expect(table(['ID', 'NAME'], [['1', '']])).toBe('ID  NAME\n1\n')
})

test('a table fits the terminal: the widest column is cut, and nothing is padded beyond', () => {
  const rows = [
    ['1', '🐈'.repeat(255), 'sold'],
    ['2', 'Rex', 'sold'],
  ]
  const lines = table(['ID', 'NAME', 'STATUS'], rows, 30).split('\n')
  for (const line of lines) expect(Bun.stringWidth(line)).toBeLessThanOrEqual(30)
  expect(lines[1]).toMatch(/^1 {3}(🐈)+… +sold$/u)
  expect(lines[2]).toMatch(/^2 {3}Rex +sold$/)
})
