import { expect, test } from 'bun:test'
import { loadConfig } from '../config/load.ts'
import { type FromListener, listenerFor } from './listener.ts'

test('a thread that cannot start says why, and with which exit code the service ends', async () => {
  const said = Promise.withResolvers<FromListener>()
  const options = {
    config: loadConfig({}, { DATABASE_URL: 'sqlite:/no/such/folder/animals.db' }),
    port: 0,
    tls: undefined,
    rateLimits: undefined,
    lines: { level: 'info', format: 'json' },
    recordUsesEveryMs: undefined,
  } as const
  await listenerFor(said.resolve)(['start', options])
  expect(await said.promise).toEqual([
    'failed',
    expect.stringContaining('There is no database at'),
    'missing',
  ])
})
