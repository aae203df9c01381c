import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { parseExactJson, TooManyValues } from './json.ts'
import { MAX_JSON_VALUES } from './limits.ts'

describe('parseExactJson', () => {
  test('reads JSON without large or broken numbers as JSON.parse does', () => {
    const value = fc.jsonValue().filter(candidate => !/\d[.eE]|\d{16}/.test(JSON.stringify(candidate)))
    fc.assert(
      fc.property(value, candidate => {
        const text = JSON.stringify(candidate)
        expect(parseExactJson(text)).toEqual(JSON.parse(text))
      }),
    )
  })

  test.each([
    ['{"n":9007199254740993}', 9007199254740993n],
    ['{"n":-9223372036854775808}', -(2n ** 63n)],
    ['{"n":3.0}', 3n],
    ['{"n":1e2}', 100n],
    [' { "x" : [ 1 , {"n":1.5} ] , "n" : 12345678901234567 , "y" : "n" } ', 12345678901234567n],
    [`{"x":"${'\\"'.repeat(100)}","n":12345678901234567}`, 12345678901234567n],
    ['{"\\u006e":12345678901234567}', 12345678901234567n],
    ['{"n":"12345678901234567890","x":1.5}', '12345678901234567890'],
    ['{"n":1.5,"n":12345678901234567}', 12345678901234567n],
    ['{"n":12345678901234567,"\\u006E":2.0}', 2n],
    ['{"n":12345678901234567,"n":"1.5"}', '1.5'],
    ['{"n":12345678901234567,"n":[1.5]}', [1.5]],
    ['{"longer":1e3,"n":12345678901234567,"long":1.5}', 12345678901234567n],
  ])('%s keeps every digit of a field', (text, value) => {
    expect((parseExactJson(text) as { n: unknown }).n).toEqual(value as never)
  })

  test.each(['\\\\', '\\"', '[', ',', ''])(
    'counts the values beside the text "%s", and nothing in it',
    text => {
      const listOf = (others: number) => `["${text}"${',0'.repeat(others)},["${text}"]]`
      expect(parseExactJson(listOf(MAX_JSON_VALUES - 4))).toHaveLength(MAX_JSON_VALUES - 2)
      expect(() => parseExactJson(listOf(MAX_JSON_VALUES - 3))).toThrow(TooManyValues)
    },
  )
})
