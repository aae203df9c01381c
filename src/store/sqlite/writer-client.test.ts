import { expect, test } from 'bun:test'
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openedFiles } from './file-check.ts'
import { openFile } from './open.ts'
import { WriterClient } from './writer-client.ts'

test('a writer that opens the database after its deadline is ready from then on', async () => {
  const path = join(mkdtempSync(join(tmpdir(), 'petstore-')), 'animals.db')
  using _open = openFile(path, 'production', true)
  const recovered = Promise.withResolvers<void>()
  const client = new WriterClient({
    writer: { path, lockMs: 1000, files: openedFiles(path) },
    deadlineMs: 0,
    onDamage: () => {},
    onStalled: () => {},
    onRecovered: () => recovered.resolve(),
  })
  expect(client.ready()).rejects.toThrow()
  await recovered.promise
  await client.ready()
})
