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
