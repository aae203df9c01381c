import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { parseExactJson } from './json.ts'
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

  test.each(['1', '1.5', '"[[{"'])('64 levels are read whatever is inside: %s', inside => {
    const text = `${'['.repeat(64)}{"x":${inside}}${']'.repeat(64)}`
    expect(parseExactJson(text)).toEqual(JSON.parse(text))
  })

  test.each([
    ['numbers side by side', (count: number) => `[${'1,'.repeat(count - 2)}1]`],
    ['fractions side by side', (count: number) => `[${'1.5,'.repeat(count - 2)}1.5]`],
    ['arrays within arrays', (count: number) => '['.repeat(count) + ']'.repeat(count)],
  ])('the number of values is bounded: %s', (_, textOf) => {
    expect(parseExactJson(textOf(MAX_JSON_VALUES))).toEqual(JSON.parse(textOf(MAX_JSON_VALUES)))
    for (const count of [MAX_JSON_VALUES + 1, 3 * MAX_JSON_VALUES])
      expect(() => parseExactJson(textOf(count))).toThrow('it has more than 4096 values')
  })

  test('brackets within strings are no values', () => {
    const text = `{"x":"${'['.repeat(1000)}\\"${'{'.repeat(1000)}","y":[${'[],{},'.repeat(1000)}1.5]}`
    expect(parseExactJson(text)).toEqual(JSON.parse(text))
  })

  test('a field named __proto__ is a field like any other', () => {
    const parsed = parseExactJson('{"__proto__":{"name":"Rex"},"n":1.0}') as { name?: unknown }
    expect(parsed.name).toBeUndefined()
    expect(Object.getPrototypeOf(parsed)).toBe(Object.prototype)
  })

  test.each(['', '{', '[1,]', '01', 'NaN', '[1.]', '{"a":1}{}'])('%p is not JSON', text => {
    expect(() => parseExactJson(text)).toThrow()
  })
})
