import { expect, test } from 'bun:test'
import { type CompleteResponse, petJson } from '../support/http.ts'
import { atOnce } from '../support/process.ts'
import { sharedService } from '../support/service.ts'
import { addKey } from '../support/store.ts'

// What happens as time passes is proved beside the limiter, with a clock of its own.
const QUOTA = 40
const WINDOW_SECONDS = 3600

const service = sharedService({
  variables: { PETSTORE_RATE_LIMIT: `${QUOTA}/${WINDOW_SECONDS}s` },
})
/** A key without any counted request. */
const freshKey = (): Promise<string> => addKey(service().options.databaseUrl, 'fresh')

const ask = (key: string, count: number): Promise<CompleteResponse[]> =>
  atOnce(count, () => service().fetch('/v1/pets', { key }))

test('exactly as many requests of a key are let in as the limit says; the others learn when to come back', async () => {
  const key = await freshKey()
  const answers = await ask(key, QUOTA * 4)
  const allowed = answers.filter(({ status }) => status === 200)
  const left = allowed.map(({ headers }) => Number(/r=(\d+)/.exec(headers.get('ratelimit') ?? '')?.[1]))
  expect(left.toSorted((a, b) => a - b)).toEqual(Array.from({ length: QUOTA }, (_, remaining) => remaining))
  expect(allowed.some(({ headers }) => headers.has('retry-after'))).toBe(false)
  for (const refused of answers.filter(answer => !allowed.includes(answer))) {
    expect(refused.failure).toBe('429 rate_limited')
    expect(refused.headers.get('ratelimit-policy')).toBe(`"default";q=${QUOTA};w=${WINDOW_SECONDS}`)
    const seconds = Number(refused.headers.get('retry-after'))
    expect(refused.headers.get('ratelimit')).toBe(`"default";r=0;t=${seconds}`)
    expect(seconds).toBeWithin(1, WINDOW_SECONDS + 1)
  }
  const { keyId } = await service().output.entry(({ status }) => status === 429)
  expect(keyId).toStartWith('key_')
})

test('every method and path of a key counts, another key does not, none is told nothing of it, and nothing is added beyond', async () => {
  const [key, other] = [await freshKey(), await freshKey()]
  const requests: [string, string, string?][] = [
    ['POST', '/v1/pets', '{'],
    ['PUT', '/v1/pets'],
    ['GET', '/v1/nothing'],
    ['HEAD', '/v1/pets/99'],
  ]
  for (const [n, [method, target, body]] of requests.entries()) {
    const headers = { 'Content-Type': 'application/json' }
    const answer = await service().fetch(target, { method, key, headers, ...(body && { body }) })
    expect(answer.headers.get('ratelimit')).toStartWith(`"default";r=${QUOTA - n - 1};`)
  }
  await ask(key, QUOTA)
  expect(await service().post(petJson({ name: 'beyond' }), {}, key)).toHaveStatus(429)
  const read = await service().fetch('/v1/pets?limit=100', { key: other })
  expect([read.status, read.text]).toEqual([200, '[]'])
  for (const target of ['/v1/pets', '/livez'])
    expect((await service().fetch(target, { key: 'no-key-of-ours' })).headers.has('ratelimit')).toBe(false)
})
