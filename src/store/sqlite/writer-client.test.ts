import { afterEach, expect, jest, spyOn, test } from 'bun:test'
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Event, Observe } from '../../observability/events.ts'
import type { StorageUnavailable } from '../errors.ts'
import { emptyWal, singleValue } from './connect.ts'
import { openedFiles, PAGE_BYTES } from './database-files.ts'
import { openFile } from './open.ts'
import { sharedWriter } from './shared-writer.ts'
import { WriterClient } from './writer-client.ts'

/** A writer for a new database. */
function freshWriter(observe: Observe = () => {}) {
  const path = join(mkdtempSync(join(tmpdir(), 'petstore-')), 'animals.db')
  const opened = openFile({ path, environment: 'production' }, true)
  const writer = sharedWriter({ path, lockMs: 1000, files: openedFiles(path) }, observe)
  const close = async () => {
    await writer.close(60_000)
    opened.close()
  }
  return { ...writer, path, opened, [Symbol.asyncDispose]: close }
}

afterEach(() => void jest.useRealTimers())

/** A link to a writer that the test plays. */
function playedWriter() {
  const [calls, renewals] = [new MessageChannel(), new MessageChannel()]
  return { link: [calls.port1, renewals.port1] as const, calls: calls.port2, renewals: renewals.port2 }
}

test('when the writer thread has ended, all who use it get a port to another, which keeps calls until it runs', async () => {
  const events: string[] = []
  await using writer = freshWriter(({ kind }) => void events.push(kind))
  const links = [writer.newLink(), writer.newLink()]
  const clients = links.map(link => new WriterClient({ link, deadlineMs: 60_000, observe: () => {} }))
  await Promise.all(clients.map(client => client.call('ping')))
  const [calls, renewals] = writer.newLink()
  const renewed = new Promise(resolve => (renewals.onmessage = resolve))
  // The thread ends, because this is no call.
  calls.postMessage(null)
  await renewed
  await Promise.all(clients.map(client => client.call('ping')))
  await writer.close(60_000)
  // A second call has nothing to close.
  await writer.close(1)
  expect(events).toEqual(['thread-ended'])
})

test('a call whose writer has ended has an unknown outcome, and no deadline any more', async () => {
  jest.useFakeTimers()
  const { link, calls, renewals } = playedWriter()
  const client = new WriterClient({ link, deadlineMs: 200, observe: () => {} })
  calls.onmessage = () => {
    const { port1 } = new MessageChannel()
    renewals.postMessage(port1, [port1])
  }
  await expect(client.call('ping')).rejects.toMatchObject({ name: 'OutcomeUnknown', trouble: 'failing' })
  jest.advanceTimersByTime(200)
  expect(client.isStalled).toBe(false)
  client.close()
})

test('a writer that does not end in time is not said to have closed the database', async () => {
  await using writer = freshWriter()
  writer.newLink()
  using _ = spyOn(Bun, 'sleep').mockResolvedValue(undefined)
  await expect(writer.close(1)).rejects.toThrow('The writer does not respond')
})

test('animals of several threads are counted once, though they share a transaction', async () => {
  await using writer = freshWriter()
  const sizes: number[] = []
  const observe: Observe = event => void (event.kind === 'batch-stored' && sizes.push(event.size))
  const pet = { name: 'Rex', categoryId: 1n, status: 'sold' } as const
  const clients = [1, 2, 3].map(
    () => new WriterClient({ link: writer.newLink(), deadlineMs: 60_000, observe }),
  )
  await Promise.all(clients.map(client => client.addPets([{ pet, idempotency: undefined }])))
  expect(sizes.reduce((sum, size) => sum + size)).toBe(3)
})

test('while a call is late, others are rejected as not stored, until the last late one is done', async () => {
  const { link, calls } = playedWriter()
  const events: Event[] = []
  const began = performance.now()
  const client = new WriterClient({ link, deadlineMs: 0, observe: event => void events.push(event) })
  const outcome = () =>
    client.call('ping').catch(({ name, trouble }: StorageUnavailable) => `${name}: ${trouble}`)
  const unknown = 'OutcomeUnknown: no-response'
  expect(await Promise.all([outcome(), outcome()])).toEqual([unknown, unknown])
  expect(await outcome()).toBe('StorageUnavailable: no-response')
  for (const id of [1, 2]) calls.postMessage([id, 'done'])
  while (client.isStalled) await Bun.sleep(1)
  const afterMs = expect.any(Number)
  expect(events).toEqual([{ kind: 'storage-stalled' }, { kind: 'storage-recovered', afterMs }])
  expect(Object(events[1]).afterMs).toBeLessThanOrEqual(performance.now() - began)
  client.close()
})

test('a writer that is replaced while a call is late is not waited for any more', async () => {
  const { link, renewals } = playedWriter()
  const client = new WriterClient({ link, deadlineMs: 0, observe: () => {} })
  await expect(client.call('ping')).rejects.toMatchObject({ name: 'OutcomeUnknown' })
  expect(client.isStalled).toBe(true)
  const { port1 } = new MessageChannel()
  renewals.postMessage(port1, [port1])
  for (let n = 0; n < 1000 && client.isStalled; n++) await Bun.sleep(1)
  expect(client.isStalled).toBe(false)
  client.close()
})

test('once an animal has met damage, none is stored, not even where the file is intact', async () => {
  await using writer = freshWriter()
  const { opened, path } = writer
  const root = Number(singleValue(opened, "SELECT rootpage FROM sqlite_schema WHERE name = 'idempotency'"))
  emptyWal(opened)
  const bytes = readFileSync(path).fill(0xa5, (root - 1) * PAGE_BYTES, root * PAGE_BYTES)
  writeFileSync(path, bytes, { flag: 'r+' })
  const client = new WriterClient({ link: writer.newLink(), deadlineMs: 60_000, observe: () => {} })
  const pet = { name: 'Rex', categoryId: 1n, status: 'sold' } as const
  const damaged = { name: 'StorageUnavailable', trouble: 'damaged' }
  for (const idempotency of [{ keyId: 'k', key: 'met' }, undefined])
    await expect(client.addPets([{ pet, idempotency }])).rejects.toMatchObject(damaged)
})
