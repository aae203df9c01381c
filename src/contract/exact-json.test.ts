import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { parseExactJson as parseWithFields } from './exact-json.ts'
import { MAX_NESTING } from './limits.ts'

const parseExactJson = (text: string): unknown => parseWithFields(text, ['n', 'longer'])

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
  ])('%s keeps every digit of a field', (text, value) => {
    expect((parseExactJson(text) as { n: unknown }).n).toEqual(value as never)
  })

  test('each of several fields keeps its own', () => {
    expect(parseExactJson('{"longer":1e3,"n":12345678901234567,"long":1.5}')).toEqual({
      longer: 1000n,
      n: 12345678901234567n,
      long: 1.5,
    })
  })

  test.each(['3.5', '9223372036854775808', '1e400', '-1e-400'])(
    '%s is a number that no schema takes',
    literal => {
      expect(parseExactJson(`{"n":${literal}}`)).toEqual({ n: Number.NaN })
    },
  )

  test('the outermost value may be anything', () => {
    for (const text of ['1.5', '"1.5"', 'null', '[1.5,"n",1.5]'])
      expect(parseExactJson(text)).toEqual(JSON.parse(text))
  })

  const nested = (levels: number, inside: string) =>
    `${'['.repeat(levels - 1)}{"x":${inside}}${']'.repeat(levels - 1)}`
  test.each(['1', '1.5', '"[[{"'])('the depth is bounded whatever is inside: %s', inside => {
    expect(parseExactJson(nested(MAX_NESTING, inside))).toEqual(JSON.parse(nested(MAX_NESTING, inside)))
    expect(() => parseExactJson(nested(MAX_NESTING + 1, inside))).toThrow('it nests deeper than 64 levels')
  })

  test('brackets within strings and side by side are no depth', () => {
    const text = `{"x":"${'['.repeat(1000)}\\"${'{'.repeat(1000)}","y":[${'[],{},'.repeat(1000)}1]}`
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
