import { expect, test } from 'bun:test'
import { KeptHeaders } from './kept-headers.ts'

test('what one caller gets, and does to it, never reaches the next', async () => {
  const kept = KeptHeaders.of(200, { ETag: '"1"' })
  const first = kept.response('one', 'first-caller')
  first.headers.set('Access-Control-Allow-Origin', 'https://first.example')
  first.headers.set('ETag', '"changed"')
  const second = kept.response('two', 'second-caller')
  expect([...second.headers]).toEqual([
    ['etag', '"1"'],
    ['x-request-id', 'second-caller'],
  ])
  expect(second.status).toBe(200)
  expect(await second.text()).toBe('two')
  expect(first.headers.get('x-request-id')).toBe('first-caller')
})

test('each response has the location it was made for, in whichever order they are sent', () => {
  const created = KeptHeaders.located(201, { ETag: '"1"' })
  const [one, two] = [created('/1'), created('/2')]
  const sent = [two, one, two, created('/3')].map((kept, n) => kept.response(null, `caller-${n}`))
  expect(sent.map(({ status, headers }) => [status, ...headers])).toEqual(
    ['/2', '/1', '/2', '/3'].map((location, n) => [
      201,
      ['etag', '"1"'],
      ['location', location],
      ['x-request-id', `caller-${n}`],
    ]),
  )
  expect(one.values).toEqual({ ETag: '"1"', Location: '/1' })
})

test('only a response can be had of them, with a request id, and a location where one belongs', () => {
  const kept = KeptHeaders.of(200, { ETag: '"1"' })
  const created = KeptHeaders.located(201, { ETag: '"1"' })
  expect(Object.keys(kept)).toEqual([])
  expect(Object.keys(created('/1'))).toEqual([])
  const misuses = [
    // @ts-expect-error A response without an id would carry that of the caller before.
    () => kept.response(null),
    // @ts-expect-error Nothing else can be set.
    () => kept.response(null, 'id', { 'Access-Control-Allow-Origin': '*' }),
    // @ts-expect-error A response without a location would carry that of the caller before.
    () => created().response(null, 'id'),
    // @ts-expect-error It is the only way to get one.
    () => new KeptHeaders(new Response(), {}),
  ]
  expect(misuses).toHaveLength(4)
  // @ts-expect-error What is kept cannot be changed.
  kept.values.ETag = '"2"'
})
