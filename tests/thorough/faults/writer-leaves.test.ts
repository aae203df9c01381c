import { expect, test } from 'bun:test'
import { PATIENCE } from '../../../src/store/patience.ts'
import { fileIdentity } from '../../../src/store/sqlite/file/identify.ts'
import { openSqliteFile } from '../../../src/store/sqlite/file/open.ts'
import { listenTo } from '../../../src/store/sqlite/thread/thread.ts'
import { writerClient } from '../../../src/store/sqlite/writer/client.ts'
import { freshSqliteUrl } from '../../support/service/folder.ts'
import { pathOf } from './support/stored.ts'

const newKey = (id: string) => ({
  ...{ id, name: id, hint: id, hash: id },
  createdAt: new Date(),
  expiresAt: undefined,
})

test('a writer thread that leaves without a word fails the calls it had at once, and the next call has a new one', async () => {
  const path = pathOf(await freshSqliteUrl())
  openSqliteFile(path, 'production', true).close()
  const threads: Worker[] = []
  const stalls: string[] = []
  const writer = writerClient({
    path,
    file: fileIdentity(path),
    patience: PATIENCE.service,
    onDamage: message => stalls.push(message),
    onStall: { stalled: () => stalls.push('stalled'), recovered: () => stalls.push('recovered') },
    start: listener => {
      const thread = new Worker(new URL('./support/leaving-writer.ts', import.meta.url).href)
      threads.push(thread)
      return listenTo(thread, listener)
    },
  })
  await writer.call('addKey', newKey('first'))
  threads[0]?.postMessage('leave')
  const since = performance.now()
  expect(await writer.call('addKey', newKey('lost')).catch(error => error.message)).toContain('not known')
  expect(performance.now() - since).toBeLessThan(PATIENCE.service.deadlineMs)
  await writer.call('addKey', newKey('second'))
  expect(await writer.call('revokeKey', 'second', new Date())).toBe(true)
  expect([threads.length, stalls]).toEqual([2, []])
  await writer.close()
})
