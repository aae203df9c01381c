import { Database } from 'bun:sqlite'
import { expect, test } from 'bun:test'
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { addTo, openStore } from '../../../tests/support/store.ts'

test('a service reports in time that another program holds the lock and that nothing is stored, while a command keeps waiting', async () => {
  const path = join(mkdtempSync(join(tmpdir(), 'petstore-')), 'animals.db')
  await using command = await openStore(`sqlite:${path}`)
  await command.ping()
  using other = new Database(path)
  other.run('BEGIN IMMEDIATE')
  const adding = addTo(command)
  await using service = await openStore(`sqlite:${path}`, { create: false, caller: 'service' })
  const locked = { name: 'StorageUnavailable', trouble: 'locked' }
  await expect(addTo(service)).rejects.toMatchObject(locked)
  other.run('COMMIT')
  expect((await adding).pet.id).toBe(1n)
})
