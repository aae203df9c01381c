import { expect, test } from 'bun:test'
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Observe } from '../../observability/events.ts'
import type { Addition } from '../store.ts'
import { openedFiles } from './file-check.ts'
import { openFile } from './open.ts'
import { encodeBatch } from './pet-rows.ts'
import type { SqliteLocation } from './schema.ts'
import { sharedWriter } from './shared-writer.ts'
import { openSqliteStore } from './store.ts'
import { WriterClient } from './writer-client.ts'

const ADDITION: Addition = {
  pet: { name: 'Rex', categoryId: 1n, status: 'sold' },
  idempotency: undefined,
}

function freshLocation(): SqliteLocation {
  const path = join(mkdtempSync(join(tmpdir(), 'petstore-')), 'animals.db')
  return { database: { engine: 'sqlite', path, publicName: path }, environment: 'production' }
}

/** A writer for a new database. */
function freshWriter() {
  const location = freshLocation()
  const { path } = location.database
  const opened = openFile(location, true)
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

test('when the writer has ended, an addition has an unknown outcome, and a ping, which stores nothing, is only unavailable', async () => {
  const { port1: link, port2: main } = new MessageChannel()
  main.onmessage = () => main.postMessage('ended')
  const store = await openSqliteStore(freshLocation(), { create: true, link })
  await expect(store.addPet(ADDITION)).rejects.toMatchObject({ name: 'OutcomeUnknown' })
  await expect(store.ping()).rejects.toMatchObject({ name: 'StorageUnavailable' })
  await store.close()
})

test('animals of several threads are counted once, though they share a transaction', async () => {
  using writer = freshWriter()
  const sizes: number[] = []
  const observe: Observe = event => void (event.kind === 'batch-stored' && sizes.push(event.size))
  const batch = encodeBatch([ADDITION])
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
