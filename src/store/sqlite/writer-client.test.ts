import { expect, test } from 'bun:test'
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Observe } from '../../observability/events.ts'
import { openedFiles } from './file-check.ts'
import { openFile } from './open.ts'
import { encodeBatch } from './pet-rows.ts'
import { sharedWriter } from './shared-writer.ts'
import { WriterClient } from './writer-client.ts'

/** A writer for a new database. */
function freshWriter() {
  const path = join(mkdtempSync(join(tmpdir(), 'petstore-')), 'animals.db')
  const database = { engine: 'sqlite', path, publicName: path } as const
  const opened = openFile({ database, environment: 'production' }, true)
  const writer = sharedWriter({ path, lockMs: 1000, files: openedFiles(path) }, () => {})
  return { ...writer, [Symbol.dispose]: () => opened.close() }
}

test('when the writer thread has ended, all who use it are told, and the next call connects to another', async () => {
  using writer = freshWriter()
  const link = writer.newLink()
  const { port1: calls, port2: broken } = new MessageChannel()
  const told = new Promise(resolve => (link.onmessage = ({ data }) => resolve(data)))
  link.postMessage(calls, [calls])
  // The thread ends, because this is no call.
  broken.postMessage(null)
  expect(await told).toBe('ended')
  const client = new WriterClient({ link, deadlineMs: 60_000, observe: () => {} })
  await client.call('ping')
  await writer.close(60_000)
})

test('a call whose writer has ended has an unknown outcome', async () => {
  const { port1: link, port2: main } = new MessageChannel()
  const client = new WriterClient({ link, deadlineMs: 60_000, observe: () => {} })
  main.onmessage = () => main.postMessage('ended')
  await expect(client.call('ping')).rejects.toMatchObject({ name: 'OutcomeUnknown' })
  client.close()
})

test('animals of several threads are counted once, though they share a transaction', async () => {
  using writer = freshWriter()
  const sizes: number[] = []
  const observe: Observe = event => void (event.kind === 'batch-stored' && sizes.push(event.size))
  const batch = encodeBatch([
    { pet: { name: 'Rex', categoryId: 1n, status: 'sold' }, idempotency: undefined },
  ])
  const clients = [1, 2, 3].map(
    () => new WriterClient({ link: writer.newLink(), deadlineMs: 60_000, observe }),
  )
  await Promise.all(clients.map(client => client.call('addPets', ...batch)))
  expect(sizes.reduce((sum, size) => sum + size)).toBe(3)
  await writer.close(60_000)
})

test('while a call is late, others are refused as not stored, until the last late one is done', async () => {
  const { port1: link, port2: main } = new MessageChannel()
  const connected = new Promise<MessagePort>(resolve => (main.onmessage = ({ data }) => resolve(data)))
  const events: string[] = []
  const client = new WriterClient({ link, deadlineMs: 0, observe: ({ kind }) => void events.push(kind) })
  const outcome = () => client.call('ping').catch(({ name }: Error) => name)
  expect(await Promise.all([outcome(), outcome()])).toEqual(['OutcomeUnknown', 'OutcomeUnknown'])
  expect(await outcome()).toBe('StorageUnavailable')
  const writer = await connected
  for (const id of [1, 2]) writer.postMessage([id, 'done'])
  while (client.isStalled) await Bun.sleep(1)
  expect(events).toEqual(['storage-stalled', 'storage-recovered'])
  client.close()
})
