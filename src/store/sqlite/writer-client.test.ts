import { expect, test } from 'bun:test'
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openedFiles } from './file-check.ts'
import { openFile } from './open.ts'
import { WriterClient } from './writer-client.ts'
import { writerThreadFor } from './writer-thread.ts'

test('a writer that opens the database after its deadline is ready from then on', async () => {
  const path = join(mkdtempSync(join(tmpdir(), 'petstore-')), 'animals.db')
  const database = { engine: 'sqlite', path, publicName: path } as const
  using _open = openFile({ database, environment: 'production' }, true)
  const recovered = Promise.withResolvers<void>()
  const thread = writerThreadFor({ path, lockMs: 1000, files: openedFiles(path) }, () => {})
  const client = new WriterClient({
    connect: async onEnded => thread.connect(0, onEnded),
    deadlineMs: 0,
    observe: ({ kind }) => kind === 'storage-recovered' && recovered.resolve(),
  })
  expect(client.call('ping')).rejects.toThrow()
  await recovered.promise
  expect(client.isStalled).toBe(false)
  await thread.close(10_000)
})
