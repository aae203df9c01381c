import { expect, test } from 'bun:test'
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openedFiles } from './file-check.ts'
import { openFile } from './open.ts'
import { sharedWriter } from './shared-writer.ts'
import { WriterClient } from './writer-client.ts'

function newThread() {
  const path = join(mkdtempSync(join(tmpdir(), 'petstore-')), 'animals.db')
  const database = { engine: 'sqlite', path, publicName: path } as const
  const opened = openFile({ database, environment: 'production' }, true)
  const thread = sharedWriter({ path, lockMs: 1000, files: openedFiles(path) }, () => {})
  return { thread, opened }
}

test('a writer that opens the database after its deadline is ready from then on', async () => {
  const { thread, opened } = newThread()
  const recovered = Promise.withResolvers<void>()
  const client = new WriterClient({
    link: thread.newLink(),
    deadlineMs: 0,
    observe: ({ kind }) => kind === 'storage-recovered' && recovered.resolve(),
  })
  // It may be stored later, so nobody may be told that it was not.
  await expect(client.call('ping')).rejects.toMatchObject({ name: 'OutcomeUnknown' })
  await recovered.promise
  expect(client.isStalled).toBe(false)
  await thread.close(10_000)
  opened.close()
})

test('when the writer thread has ended, the outcome of a call is unknown, and the next one connects to another', async () => {
  const { thread, opened } = newThread()
  const { port1: link, port2: main } = new MessageChannel()
  const client = new WriterClient({ link, deadlineMs: 4000, observe: () => {} })
  main.onmessage = () => main.postMessage('ended')
  await expect(client.call('ping')).rejects.toMatchObject({ name: 'OutcomeUnknown' })
  const running = thread.newLink()
  main.onmessage = ({ data: calls }) => running.postMessage(calls, [calls])
  await client.call('ping')
  await thread.close(10_000)
  opened.close()
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
