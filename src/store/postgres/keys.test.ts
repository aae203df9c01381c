import { expect, test } from 'bun:test'
import { freshPostgresUrl, onInsert } from '../../../tests/support/postgres.ts'
import { failureOf, openStore } from '../../../tests/support/store.ts'

const recordOf = (id: string, createdAt: number) => {
  const [hash, at] = [`hash of ${id}`, new Date(createdAt)]
  return { id, name: 'any', hint: 'pets_live_…', hash, createdAt: at, expiresAt: undefined }
}

test('keys are listed by age, and keys of the same age by id', async () => {
  await using store = await openStore(await freshPostgresUrl())
  for (const [id, at] of [
    ['c', 2],
    ['b', 2],
    ['a', 3],
    ['d', 1],
  ] as const)
    await store.keys.add(recordOf(id, at))
  expect((await store.keys.list()).map(({ id }) => id)).toEqual(['d', 'b', 'c', 'a'])
})

test('a key is revoked as of the time that its caller gives', async () => {
  await using store = await openStore(await freshPostgresUrl())
  await store.keys.add(recordOf('a', 1))
  await store.keys.revoke('a', new Date(5000))
  expect((await store.keys.list()).map(({ revokedAt }) => revokedAt?.getTime())).toEqual([5000])
})

test('whether a key is changed is unknown if the connection breaks during the commit', async () => {
  const databaseUrl = await freshPostgresUrl()
  await using store = await openStore(databaseUrl)
  await store.keys.add(recordOf('a', 1))
  await onInsert(databaseUrl, 'api_keys', 'at commit', 'PERFORM pg_terminate_backend(pg_backend_pid())')
  const at = new Date()
  for (const change of [
    () => store.keys.add(recordOf('b', 1)),
    () => store.keys.revoke('a', at),
    () => store.keys.recordUses([{ id: 'a', at, deprecatedCalls: 0 }]),
  ])
    expect(await failureOf(change())).toBe('OutcomeUnknown')
})
