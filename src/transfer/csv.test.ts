import { expect, test } from 'bun:test'
import { csvLine, csvRows, withFormulas, withoutFormulas } from './csv.ts'

test('a field that begins or ends with white space is quoted, so that no reader trims it', () =>
  expect(csvLine([' a', 'b ', 'c d'])).toBe('" a","b ",c d\r\n'))

test.each([...'\r\n",'])(
  'a field with %j in its middle is quoted, so that it ends no row and no cell',
  mark => expect(csvLine([`a${mark}b`])).toBe(`"a${mark.replace('"', '""')}b"\r\n`),
)

test('a row of only whitespace and separators is skipped', () =>
  expect([...csvRows([' , \t', 'a,'], '\n', ',')]).toEqual([{ line: 2, text: 'a,', fields: ['a', ''] }]))

test.each([...'=+-@＝＋－＠'])(
  '%s begins no formula, wherever a cell may begin, and is restored when read back',
  sign => {
    for (const before of ['', ...[...'\t\n\r",;|'].map(end => `Rex${end}`)]) {
      expect(withoutFormulas(`${before}${sign}1`)).toBe(`${before}'${sign}1`)
      expect(withFormulas(`${before}'${sign}1`)).toBe(`${before}${sign}1`)
    }
  },
)
