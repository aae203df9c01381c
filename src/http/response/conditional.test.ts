import { expect, test } from 'bun:test'
import { conditionalAnswer, representation } from './conditional.ts'

const page = representation('[]', {})
const { ETag } = page.validators
const statusFor = (ifNoneMatch?: string): number => {
  const headers = ifNoneMatch === undefined ? {} : { 'If-None-Match': ifNoneMatch }
  return conditionalAnswer(new Request('http://x/', { headers }), page).status
}

test.each([ETag, `W/${ETag}`, `"other", ${ETag}`, '*', ' * '])(
  'If-None-Match: %s is answered with 304',
  tags => expect(statusFor(tags)).toBe(304),
)

test.each([undefined, '"other"', ETag.slice(0, -1), ETag.slice(1), '"*"'])(
  'If-None-Match: %s is answered with 200',
  tags => expect(statusFor(tags)).toBe(200),
)

test('a page that gains a follower keeps its bytes but not its tag', () => {
  const followed = representation('[]', { Link: '</v1/pets?cursor=x>; rel="next"' })
  expect(followed.full.body).toEqual(page.full.body)
  expect(followed.validators.ETag).not.toBe(ETag)
})

test('a 304 has what the 200 has, but neither body nor type', () => {
  const known = conditionalAnswer(new Request('http://x/', { headers: { 'If-None-Match': ETag } }), page)
  expect(known).toEqual({
    status: 304,
    headers: { ETag, 'Cache-Control': 'private, no-cache' },
    body: null,
  })
})
