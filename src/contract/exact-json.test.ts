import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { parseExactJson } from './exact-json.ts'

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
    ['[9007199254740993]', [9007199254740993n]],
    ['[-9223372036854775808]', [-(2n ** 63n)]],
    ['[3.0, 1e2]', [3n, 100n]],
    ['{"a":{"b":[12345678901234567]}}', { a: { b: [12345678901234567n] } }],
    ['["12345678901234567890", "1.5"]', ['12345678901234567890', '1.5']],
  ])('%s keeps every digit', (text, value) => {
    expect(parseExactJson(text)).toEqual(value)
  })

  test.each(['[3.5]', '[9223372036854775808]', '[1e400]'])('%s holds no number that a schema takes', text => {
    expect(parseExactJson(text)).toEqual([Number.NaN])
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
