import { expect, spyOn, test } from 'bun:test'
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { loadConfig } from '../config/load.ts'
import { KeyRing } from '../keys/key-ring.ts'
import { engineOf } from '../store/engines.ts'
import { type FromListener, listenerFor } from './listener.ts'

const OPTIONS = {
  port: 0,
  tls: undefined,
  rateCounts: undefined,
  lines: { level: 'info', format: 'json' },
} as const

test('a thread that cannot start says why, and with which exit code the service ends', async () => {
  const said = Promise.withResolvers<FromListener>()
  const config = loadConfig({}, { DATABASE_URL: 'sqlite:/no/such/folder/animals.db' })
  await listenerFor(said.resolve)(['start', { ...OPTIONS, config }])
  expect(await said.promise).toEqual([
    'failed',
    expect.stringContaining('There is no database at'),
    'missing',
  ])
})

test('a thread that cannot report its figures says so, and continues', async () => {
  const path = join(mkdtempSync(join(tmpdir(), 'petstore-')), 'animals.db')
  const config = loadConfig({}, { DATABASE_URL: `sqlite:${path}`, PORT: '0', PETSTORE_METRICS_PORT: '0' })
  const store = await (await engineOf(config)).open({ create: true })
  const listening = Promise.withResolvers<void>()
  const said: FromListener[] = []
  const send = listenerFor(message => {
    said.push(message)
    if (message[0] === 'listening') listening.resolve()
  })
  await send(['start', { ...OPTIONS, config, link: store.newLink?.() }])
  await listening.promise
  const cause = new Error('out of order')
  using _broken = spyOn(KeyRing.prototype, 'nextExpiry').mockImplementation(() => {
    throw cause
  })
  for (const question of ['report', 'ready', 'drain'] as const) await send([question])
  expect(said.slice(1)).toEqual([
    ['event', { kind: 'background-task-failed', task: 'reporting figures', cause }],
    ['ready', true],
    ['drained', 0],
  ])
  await store.close()
})

test('a thread that is asked to stop while it starts stops when it has', async () => {
  const path = join(mkdtempSync(join(tmpdir(), 'petstore-')), 'animals.db')
  const config = loadConfig({}, { DATABASE_URL: `sqlite:${path}` })
  const store = await (await engineOf(config)).open({ create: true })
  const said: FromListener[0][] = []
  const send = listenerFor(([kind]) => void said.push(kind))
  void send(['start', { ...OPTIONS, config, link: store.newLink?.() }])
  await send(['drain'])
  expect(said).toEqual(['listening', 'drained'])
  await store.close()
})
