import { expect, test } from 'bun:test'
import { devNull } from 'node:os'
import { freshSqliteUrl } from '../../tests/support/process.ts'
import { openStore } from '../../tests/support/store.ts'
import { program } from './program.ts'

test('a store whose animals are all sold gets no sample animals', async () => {
  const url = await freshSqliteUrl()
  await using store = await openStore(url)
  await store.addPet({ pet: { name: 'Rex', categoryId: 1n, status: 'sold' }, idempotency: undefined })
  // Not the settings of the developer.
  const settings = ['--env-file', devNull, '--env', 'production', '--database-url', url]
  const demo = (await program()).parseAsync(['demo', '--yes', '--json', ...settings], { from: 'user' })
  await expect(demo).rejects.toThrow('This store already has animals.')
})
