import { expect, test } from 'bun:test'
import { decoded, MAX_FILE_BYTES, readingsOf } from './decode.ts'

const wordsOf = (text: string) => readingsOf(Buffer.from(text, 'latin1')).map(({ words }) => words)

test('each reading shows the words that tell it from the others', () => {
  const [first] = wordsOf('name,categoryId\nZo\xeb,7\n"M\xfcnchen; Rex",8\nRex,9\n')
  expect(first).toEqual(['Zoë', 'München'])
})

test('at most five words are shown, and a long one is cut', () => {
  expect(wordsOf('\xe9\n\xe8 \xea;\xeb,\xe0{\xe1')[0]).toEqual(['é', 'è', 'ê', 'ë', 'à'])
  expect(wordsOf(`${'a'.repeat(70)}\xe9${'b'.repeat(10_000)}\n`)[0]).toEqual([
    `${'a'.repeat(30)}é${'b'.repeat(29)}`,
  ])
})

test('a file without LF is first that of an old Mac, and readings that are equal are one', () => {
  const encodingsOf = (text: string) =>
    readingsOf(Buffer.from(text, 'latin1')).map(({ encoding }) => encoding)
  expect(encodingsOf('name,categoryId\rZo\x91,7\r')[0]).toBe('macintosh')
  expect(encodingsOf('\xe9\n')).toEqual(['windows-1252', 'macintosh', 'windows-1251'])
})

test('a file that says it is UTF-8 and is not is damaged, and has no other encoding', () =>
  expect(() => decoded(Buffer.from('\xef\xbb\xbfZo\xeb\n', 'latin1'))).toThrow(/damaged/))

test('a file may have 32 MiB, and not a byte more', () => {
  expect(decoded(Buffer.alloc(MAX_FILE_BYTES, 'a'))).toHaveLength(MAX_FILE_BYTES)
  expect(() => decoded(Buffer.alloc(MAX_FILE_BYTES + 1, 'a'))).toThrow(/larger than 32 MiB/)
})
