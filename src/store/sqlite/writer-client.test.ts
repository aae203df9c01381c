import { expect, test } from 'bun:test'
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openedFiles } from './file-check.ts'
import { openFile } from './open.ts'
import { sharedWriter } from './shared-writer.ts'
import { WriterClient } from './writer-client.ts'

test('when the writer thread has ended, the outcome of a call is unknown, and the next one connects to another', async () => {
  const path = join(mkdtempSync(join(tmpdir(), 'petstore-')), 'animals.db')
  const database = { engine: 'sqlite', path, publicName: path } as const
  using _opened = openFile({ database, environment: 'production' }, true)
  const thread = sharedWriter({ path, lockMs: 1000, files: openedFiles(path) }, () => {})
  const { port1: link, port2: main } = new MessageChannel()
  const client = new WriterClient({ link, deadlineMs: 60_000, observe: () => {} })
  main.onmessage = () => main.postMessage('ended')
  await expect(client.call('ping')).rejects.toMatchObject({ name: 'OutcomeUnknown' })
  const running = thread.newLink()
  main.onmessage = ({ data: calls }) => running.postMessage(calls, [calls])
  await client.call('ping')
  await thread.close(60_000)
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
