import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { createKey, petstore } from '../support/service/cli.ts'
import { type Service, startService } from '../support/service/service.ts'
import { DIRECTIONS, fresh } from './places.ts'

const EXTREMES = [
  '{"name":"Zoë \\ud83d\\udc3e \\"quoted\\" \\\\ \\t, {comma}","categoryId":9223372036854775807,"status":"sold"}',
  '{"name":"  kept as sent  ","categoryId":-9223372036854775808,"status":"pending"}',
  '{"name":"NULL","categoryId":9007199254740993}',
]

describe.each(DIRECTIONS)('a store moved from %s to %s', (from, to) => {
  let before: { pages: string[]; next: string; used: string; replayed: string; listed: string }
  let keys: { good: string; revoked: string }
  let after: Service
  let target: string
  let output: string

  beforeAll(async () => {
    const source = await fresh(from)
    target = await fresh(to)
    keys = { good: await createKey(source, 'good'), revoked: await createKey(source, 'revoked') }
    await createKey(source, 'short-lived', '--expires', '90d')
    await petstore(['keys', 'revoke', 'revoked', '--yes'], { DATABASE_URL: source })

    const service = await startService({ databaseUrl: source })
    for (const body of EXTREMES) await service.post(body)
    const first = await service.post(EXTREMES[0] ?? '', { 'Idempotency-Key': 'once' }, keys.good)
    await service.post(EXTREMES[0] ?? '', { 'Idempotency-Key': 'once' }, keys.good)
    const page = await service.fetch('/v1/pets?limit=2')
    before = {
      pages: [page.text],
      next: page.link('next') ?? '',
      used: (await service.fetch('/v1/pets', { key: keys.good })).text,
      replayed: first.text,
      listed: '',
    }
    before.pages.push((await service.fetch(before.next)).text)
    await service.stop()
    before.listed = (await petstore(['keys', 'list'], { DATABASE_URL: source })).stdout

    const { code, stdout, stderr } = await petstore(['copy', '--from', source, '--to', target])
    output = stdout + stderr
    if (code !== 0) throw new Error(output)
    after = await startService({ databaseUrl: target })
  })

  afterAll(async () => {
    await after.stop()
  })

  test('says how much was copied and that both sides agree', () => {
    expect(output).toContain('Copied 4 animals, 3 API keys and 1 remembered request in')
    expect(output.match(/sha256 [0-9a-f]{64}/g)).toHaveLength(4)
  })

  test('has the same keys: names, dates, revoked and last used', async () => {
    expect((await petstore(['keys', 'list'], { DATABASE_URL: target })).stdout).toBe(before.listed)
  })

  test('lists the same animals, byte for byte, to the same key', async () => {
    expect((await after.fetch('/v1/pets', { key: keys.good })).text).toBe(before.used)
  })

  test('refuses a key that was revoked before', async () => {
    const { status, text } = await after.fetch('/v1/pets', { key: keys.revoked })
    expect(status).toBe(401)
    expect(text).toContain('revoked')
  })

  test('goes on with a cursor that was handed out before', async () => {
    expect((await after.fetch(before.next)).text).toBe(before.pages[1] as string)
  })

  test('recognises a request that was sent before', async () => {
    const again = await after.post(EXTREMES[0] ?? '', { 'Idempotency-Key': 'once' }, keys.good)
    expect(again.headers.get('idempotent-replayed')).toBe('true')
    expect(again.text).toBe(before.replayed)
    const other = await after.post(EXTREMES[1] ?? '', { 'Idempotency-Key': 'once' }, keys.good)
    expect(other.status).toBe(422)
  })

  test('gives the next animal an identifier that was never given before', async () => {
    const highest = Math.max(...[...before.used.matchAll(/"id":(\d+)/g)].map(([, id]) => Number(id)))
    const added = await after.post('{"name":"New","categoryId":1}')
    expect(Number(/"id":(\d+)/.exec(added.text)?.[1])).toBeGreaterThan(highest)
  })
})
