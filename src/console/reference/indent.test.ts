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

test('64 KB of the worst are laid out at once', () => {
  const started = performance.now()
  for (const text of ['"'.repeat(65536), '\\'.repeat(65536), '{'.repeat(2000), ' '.repeat(65536)])
    indented(text)
  expect(performance.now() - started).toBeLessThan(1000)
})
