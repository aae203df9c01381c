import { expect, spyOn, test } from 'bun:test'
import { WRITE_MS } from '../deadlines.ts'
import { reachService } from './ready.ts'

test('ready waits longer than the service needs to find out why it is not ready', async () => {
  const body = { code: 'unavailable', message: 'The disk hangs.' }
  await using service = Bun.serve({ hostname: '127.0.0.1', port: 0, fetch: () => Response.json(body) })
  using limit = spyOn(AbortSignal, 'timeout')
  const { text } = await reachService({ host: '127.0.0.1', port: service.port as number } as never)
  expect(text).toBe(`${service.url}readyz: The disk hangs.`)
  expect(limit.mock.calls[0]?.[0]).toBeGreaterThan(WRITE_MS)
})

test('a service that does not respond in time is reported like one that does not run', async () => {
  const never = () => new Promise<never>(() => {})
  await using silent = Bun.serve({ hostname: '127.0.0.1', port: 0, idleTimeout: 0, fetch: never })
  using _soon = spyOn(AbortSignal, 'timeout').mockReturnValue(AbortSignal.timeout(1))
  const { level, text } = await reachService({ host: '127.0.0.1', port: silent.port as number } as never)
  const url = `${silent.url}readyz`
  expect(level).toBe('fail')
  expect(text).toBe(`Nothing responds at ${url} (The operation timed out.). Is the service running?`)
})
