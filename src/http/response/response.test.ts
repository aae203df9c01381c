import { expect, test } from 'bun:test'
import { jsonAnswer } from '../answer.ts'
import { Exchange } from '../exchange.ts'
import { Cors } from '../protections/cors.ts'
import { representation } from './conditional.ts'
import { responseOf } from './response.ts'

const SHOP = 'https://shop.example.org'
const page = representation('[]', {}).full
const exchangeOf = (id: string, init: RequestInit = {}) => new Exchange(new Request('http://x/', init), id)
const namesOf = ({ headers }: Response): string[] => [...headers.keys()]

test('a kept answer carries nothing of the callers before', () => {
  const cors = new Cors([SHOP])
  const limited = exchangeOf('limited')
  limited.standing = { isAllowed: false, policy: 'p', remaining: 0, resetSeconds: 1 }
  const closing = exchangeOf('closing')
  closing.closes = true
  for (const [earlier, shared] of [
    [exchangeOf('shop', { headers: { Origin: SHOP } }), cors],
    [exchangeOf('head', { method: 'HEAD' }), undefined],
    [limited, undefined],
    [closing, undefined],
  ] as const) {
    expect(responseOf(page, earlier, shared).headers.get('x-request-id')).toBe(earlier.requestId)
    const next = responseOf(page, exchangeOf('next'))
    expect(next.headers.get('x-request-id')).toBe('next')
    expect(namesOf(next)).toEqual(['cache-control', 'content-type', 'etag', 'x-request-id'])
  }
})

test('what varies already varies by origin too', () => {
  const answer = jsonAnswer(200, '{}', { Vary: 'Accept-Encoding' })
  const response = responseOf(answer, exchangeOf('id', { headers: { Origin: SHOP } }), new Cors([SHOP]))
  expect(response.headers.get('vary')).toBe('Accept-Encoding, Origin')
  expect(response.headers.get('access-control-allow-origin')).toBe(SHOP)
})
