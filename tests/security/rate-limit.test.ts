import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { Answer } from '../support/http/answer.ts'
import { petJson } from '../support/http/exact.ts'
import { createKey } from '../support/service/cli.ts'
import { freshSqliteUrl } from '../support/service/folder.ts'
import { type Service, startService } from '../support/service/service.ts'

const QUOTA = 40
const WINDOW_SECONDS = 3

describe('a rate limit', () => {
  let service: Service
  let databaseUrl: string

  beforeAll(async () => {
    databaseUrl = await freshSqliteUrl()
    const variables = { PETSTORE_RATE_LIMIT: `${QUOTA}/${WINDOW_SECONDS}s` }
    service = await startService({ databaseUrl, variables })
  })
  afterAll(async () => expect(await service.stop()).toBe(0))

  /** A key without any counted request. */
  const freshKey = (): Promise<string> => createKey(databaseUrl, 'fresh')

  const round = (key: string, count: number): Promise<Answer[]> =>
    Promise.all(Array.from({ length: count }, () => service.fetch('/v1/pets', { key })))

  const allowedOf = (answers: readonly Answer[]): Answer[] => answers.filter(({ status }) => status === 200)

  test('lets in exactly as many at once as it says, and no refusal counts', async () => {
    const answers = await round(await freshKey(), QUOTA * 4)
    expect(allowedOf(answers)).toHaveLength(QUOTA)
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 429]))
    const left = allowedOf(answers).map(({ headers }) => headers.get('ratelimit'))
    for (let remaining = 0; remaining < QUOTA; remaining++)
      expect(left.some(value => value?.startsWith(`"default";r=${remaining};t=`))).toBe(true)
  })

  test('refuses with a body of ours, says when to come back, and keeps its word', async () => {
    const key = await freshKey()
    await round(key, QUOTA)
    const refused = await service.fetch('/v1/pets', { key })
    expect(refused.failure).toBe('429 rate_limited')
    expect(refused.headers.get('ratelimit-policy')).toBe(`"default";q=${QUOTA};w=${WINDOW_SECONDS}`)
    const seconds = Number(refused.headers.get('retry-after'))
    expect(refused.headers.get('ratelimit')).toBe(`"default";r=0;t=${seconds}`)
    expect(seconds).toBeGreaterThanOrEqual(1)
    expect(seconds).toBeLessThanOrEqual(WINDOW_SECONDS)
    // The guarantee is about time, so there is no event to wait for.
    await Bun.sleep(seconds * 1000)
    expect((await service.fetch('/v1/pets', { key })).status).toBe(200)
  })

  test('counts every method and path of a key, and adds nothing beyond it', async () => {
    const key = await freshKey()
    const requests = [
      { target: '/v1/pets', method: 'POST', body: '{' },
      { target: '/v1/pets', method: 'PUT' },
      { target: '/v1/nothing', method: 'GET' },
      { target: '/v1/pets/99', method: 'HEAD' },
    ]
    for (const [n, { target, ...options }] of requests.entries()) {
      const answer = await service.fetch(target, {
        ...options,
        key,
        headers: { 'Content-Type': 'application/json' },
      })
      expect(answer.headers.get('ratelimit')).toStartWith(`"default";r=${QUOTA - n - 1};`)
    }
    await round(key, QUOTA)
    expect((await service.post(petJson({ name: 'beyond' }), {}, key)).status).toBe(429)
    const read = await service.fetch('/v1/pets?limit=100', { key: await freshKey() })
    expect(read.text).not.toContain('beyond')
  })

  test('of one key is no concern of another', async () => {
    const [key, other] = [await freshKey(), await freshKey()]
    await round(key, QUOTA)
    expect((await service.fetch('/v1/pets', { key })).status).toBe(429)
    expect((await service.fetch('/v1/pets', { key: other })).status).toBe(200)
  })

  test('never lets in more than its quota in any span of its window, over many windows', async () => {
    const key = await freshKey()
    const rounds: { started: number; allowed: number }[] = []
    const end = performance.now() + WINDOW_SECONDS * 2500
    while (performance.now() < end) {
      const started = performance.now()
      rounds.push({ started, allowed: allowedOf(await round(key, 7)).length })
      await Bun.sleep(100)
    }
    for (const { started } of rounds) {
      // A request is counted between the start of its round and the start of the next.
      const within = rounds.filter(
        r => r.started > started && r.started < started + WINDOW_SECONDS * 1000 - 500,
      )
      expect(within.reduce((sum, { allowed }) => sum + allowed, 0)).toBeLessThanOrEqual(QUOTA)
    }
    const total = rounds.reduce((sum, { allowed }) => sum + allowed, 0)
    expect(total).toBeGreaterThan(QUOTA)
  })

  test('tells nothing to callers without a key, and does not count them', async () => {
    for (let n = 0; n < QUOTA * 2; n++) {
      const answer = await service.fetch('/v1/pets', { key: 'no-key-of-ours-at-all' })
      expect(answer.status).toBe(401)
      expect(answer.headers.has('ratelimit')).toBe(false)
    }
    expect((await fetch(`${service.url}/livez`)).headers.has('ratelimit')).toBe(false)
  })
})

test('without a limit there is none, and no header speaks of one', async () => {
  const service = await startService({ databaseUrl: await freshSqliteUrl() })
  const answers = await Promise.all(Array.from({ length: 500 }, () => service.fetch('/v1/pets')))
  for (const { status, headers } of answers) {
    expect(status).toBe(200)
    expect([...headers.keys()].filter(name => /ratelimit|access-control|vary/.test(name))).toEqual([])
  }
  await service.stop()
})
