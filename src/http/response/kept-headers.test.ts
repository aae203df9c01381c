import { expect, test } from 'bun:test'
import { KeptHeaders } from './kept-headers.ts'

test('what one caller gets, and does to it, never reaches the next', async () => {
  const kept = new KeptHeaders(200, { ETag: '"1"' })
  const first = kept.response('one', 'first-caller')
  first.headers.set('Access-Control-Allow-Origin', 'https://first.example')
  first.headers.set('ETag', '"changed"')
  const second = kept.response('two', 'second-caller')
  expect([...second.headers]).toEqual([
    ['etag', '"1"'],
    ['x-request-id', 'second-caller'],
  ])
  expect(first.headers.get('x-request-id')).toBe('first-caller')
})

test('only a response can be had of them, and only with a request id', () => {
  const kept = new KeptHeaders(200, { ETag: '"1"' })
  expect(Object.keys(kept)).toEqual(['values'])
  // @ts-expect-error A response without an id would carry that of the caller before.
  kept.response(null)
  // @ts-expect-error Nothing else can be set.
  kept.response(null, 'id', { 'Access-Control-Allow-Origin': '*' })
  // @ts-expect-error What is kept cannot be changed.
  kept.values.ETag = '"2"'
})
