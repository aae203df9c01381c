import { Database } from 'bun:sqlite'
import { expect, mock, test } from 'bun:test'
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { addTo, engineAt, openStore } from '../../../tests/support/store.ts'

test('a service reports in time that another program holds the lock and that nothing is stored, while a command keeps waiting', async () => {
  const path = join(mkdtempSync(join(tmpdir(), 'petstore-')), 'animals.db')
  await using command = await openStore(`sqlite:${path}`)
  await command.ping()
  using other = new Database(path)
  other.run('BEGIN IMMEDIATE')
  const adding = addTo(command)
  const observe = mock()
  const preparing = engineAt(`sqlite:${path}`).prepare(false, observe, async () => {})
  await using service = await openStore(`sqlite:${path}`, { create: false, caller: 'service' })
  const locked = { name: 'StorageUnavailable', trouble: 'locked' }
  await expect(addTo(service)).rejects.toMatchObject(locked)
  const { kept } = await preparing
  expect(observe).toHaveBeenCalledWith({ kind: 'creates-will-fail', cause: expect.objectContaining(locked) })
  other.run('COMMIT')
  expect((await adding).pet.id).toBe(1n)
  await kept.close()
})
