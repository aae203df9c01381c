import { Database } from 'bun:sqlite'
import { expect, test } from 'bun:test'
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openSqliteStore } from './store.ts'

test('a service says in time that another program holds the lock and nothing is stored, while a command waits on', async () => {
  const path = join(mkdtempSync(join(tmpdir(), 'petstore-')), 'animals.db')
  const location = { path, environment: 'production' } as const
  const command = await openSqliteStore(location, { create: true })
  await command.ping()
  using other = new Database(path)
  other.run('BEGIN IMMEDIATE')
  const pet = { name: 'Rex', categoryId: 1n, status: 'sold' } as const
  const adding = command.addPet({ pet, idempotency: undefined })
  const service = await openSqliteStore(location, { create: false, caller: 'service' })
  const locked = { name: 'StorageUnavailable', trouble: 'locked' }
  await expect(service.addPet({ pet, idempotency: undefined })).rejects.toMatchObject(locked)
  other.run('COMMIT')
  expect((await adding).pet.id).toBe(1n)
  await Promise.all([service.close(), command.close()])
})
