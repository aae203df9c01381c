import { describe, expect, test } from 'bun:test'
import { parseFile } from './parse.ts'

const limits = {
  statuses: ['available', 'pending', 'sold'],
  nameMaxLength: 255,
  int64Min: String(-(2n ** 63n)),
  int64Max: String(2n ** 63n - 1n),
} as const
const parse = (text: string) => parseFile(text, limits)
const drafts = (text: string) => parse(text).good.map(({ draft }) => draft)

describe('a CSV file', () => {
  test('is read by its columns, whatever their order, with quotes and line breaks', () => {
    expect(
      drafts('status,id,name,categoryId\r\nsold,1,"a ""b"",\nc",-7\r\n\r\n,2,Rex,9223372036854775807'),
    ).toEqual([
      { name: 'a "b",\nc', category: '-7', status: 'sold' },
      { name: 'Rex', category: '9223372036854775807', status: 'available' },
    ])
  })

  test('tells what is wrong by line, all of a line at once, and keeps the rest', () => {
    const { good, bad } = parse('name,categoryId,status\nRex,7,sold\n ,dog,lost\nMia,7\n"x,1,\nBo,3,pending')
    expect(good.map(({ line }) => line)).toEqual([2, 6])
    expect(bad).toEqual([
      {
        line: 3,
        problem:
          'Name: Enter a name. Category: Enter a whole number, such as 7. Status: use one of available, pending, sold.',
      },
      { line: 4, problem: 'This line has 2 fields; the first line names 3.' },
      { line: 5, problem: 'A quotation mark is misplaced or not closed.' },
    ])
  })

  test('without names of columns is told so', () =>
    expect(parse('Rex,7\n').bad[0]?.problem).toStartWith('The first line must name the columns'))
})

describe('an NDJSON file', () => {
  test('is exact to the last digit', () =>
    expect(
      drafts(
        '{"name":"Rex","categoryId":9007199254740993}\n\n{"name":"Bo","categoryId":3.0,"status":"sold"}',
      ),
    ).toEqual([
      { name: 'Rex', category: '9007199254740993', status: 'available' },
      { name: 'Bo', category: '3', status: 'sold' },
    ]))

  test('tells what is wrong by line', () =>
    expect(parse('{"name":"Rex","categoryId":"7"}\n{"name":1,"categoryId":7}\n{').bad).toEqual([
      { line: 1, problem: 'Category: enter a number without quotation marks.' },
      { line: 2, problem: 'Name: enter text.' },
      { line: 3, problem: 'This line is not JSON.' },
    ]))
})
