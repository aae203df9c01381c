import { expect, test } from 'bun:test'
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { loadConfig } from '../config/load.ts'
import { engineOf } from '../store/engines.ts'
import { type FromListener, listenerFor } from './listener.ts'

const OPTIONS = {
  pageFiles: { openApi: { plain: new Uint8Array(), gzip: new Uint8Array() }, assets: [] },
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

test('a thread that is asked to stop while it starts stops when it has', async () => {
  const path = join(mkdtempSync(join(tmpdir(), 'petstore-')), 'animals.db')
  const config = loadConfig({}, { DATABASE_URL: `sqlite:${path}` })
  const { kept } = await (await engineOf(config)).prepare(
    true,
    () => {},
    async () => {},
  )
  const said: FromListener[0][] = []
  const send = listenerFor(([kind]) => void said.push(kind))
  void send(['start', { ...OPTIONS, config, link: kept.newLink?.() }])
  await send(['drain'])
  expect(said).toEqual(['listening', 'drained'])
  await kept.close()
})
