import { expect, test } from 'bun:test'
import { indented } from './indent.ts'

test('JSON is laid out over lines with every digit and every character as it came', () => {
  const text = '[{"id":9223372036854775807,"name":"a \\"b\\", {c}: [d]","tags":[],"more":{}}]'
  expect(indented(text)).toBe(`[
  {
    "id": 9223372036854775807,
    "name": "a \\"b\\", {c}: [d]",
    "tags": [],
    "more": {}
  }
]`)
})

test('what is not JSON stays as it is', () => {
  for (const text of ['<p class="a">No, {not} this</p>', '{"a":1', '', '"\\'.repeat(100)])
    expect(indented(text)).toBe(text)
})
