import { expect, test } from 'bun:test'
import { readdirSync, rmSync } from 'node:fs'
import { dirname } from 'node:path'
import { PartOfCopy } from '../../../src/store/copy.ts'
import { NoDatabase } from '../../../src/store/errors.ts'
import { fresh, heldCopy, killedCopy, PLACES, seedSqlite, sqliteRows } from '../../copy/stores.ts'
import { ADD_LOCK, onInsert, someoneWaits, waiting } from '../../support/postgres.ts'
import { eventually, pathOf, petstore, start } from '../../support/process.ts'
import { needs, program } from '../../support/programs.ts'
import { makeStore, openStore } from '../../support/store.ts'

/** The number of animals, or why the database is not used: there is none, or its role in a copy. */
async function stateOf(url: string): Promise<number | string> {
  try {
    await using store = await openStore(url, { create: false })
    const { json } = await store.listPets({ after: 0n, limit: 100, status: undefined })
    return ((await new Response(json).json()) as unknown[]).length
  } catch (error) {
    if (error instanceof NoDatabase) return 'nothing'
    if (error instanceof PartOfCopy) return error.mark.role
    throw error
  }
}

test.each(PLACES)('a copy into %s that is stopped frees its source, and can be given up', async place => {
  const target = await fresh(place)
  const { source, child, stderr, release } = await heldCopy(target)
  child.kill('SIGINT')
  await release()
  expect(await child.exited).toBe(1)
  expect(stderr.text).toContain('The copy failed. Stopped by SIGINT.')
  expect([await stateOf(source), await stateOf(target)]).toEqual([1, 'target'])
  expect((await petstore(['copy', '--unmark', target, '--yes'])).code).toBe(0)
  expect(await stateOf(target)).toBe(0)
})

const SCHEMA_LOCK = 'SELECT pg_advisory_xact_lock(1346720851)'

/** Where a copy is held up, and what its source and its target are after a kill. */
test.each<[stage: string, held: Parameters<typeof killedCopy>[1], left: (number | string)[]]>([
  ['before its target is marked', { lock: SCHEMA_LOCK, inTarget: true }, [1, 'nothing']],
  ['before its source is marked', { lock: ADD_LOCK }, [1, 'target']],
])('a copy that is killed %s leaves no empty store, and can be completed', async (_stage, held, left) => {
  const target = await fresh('postgres')
  const { source, copy } = await killedCopy(target, held)
  expect([await stateOf(source), await stateOf(target)]).toEqual(left)
  expect((await petstore(copy)).code).toBe(0)
  expect([await stateOf(source), await stateOf(target)]).toEqual(['source', 1])
})

test.each([true, false])('a copy killed in its commit is whole if PostgreSQL commits: %p', async commits => {
  const target = await fresh('postgres')
  await makeStore(target, [])
  await onInsert(target, 'pets', 'at commit', 'PERFORM pg_advisory_xact_lock(1)')
  const held = { lock: 'SELECT pg_advisory_xact_lock(1)', inTarget: true }
  const { source, copy, child, release } = await heldCopy(target, held)
  child.kill('SIGKILL')
  await child.exited
  if (!commits) await waiting(target, 'pg_terminate_backend(pid)')
  await release()
  const left = commits ? 1 : 'target'
  await eventually('it has ended', async () => (await stateOf(target)) === left || undefined)
  expect(await stateOf(source)).toBe('source')
  expect((await petstore(copy)).code).toBe(commits ? 2 : 0)
  expect([await stateOf(source), await stateOf(target)]).toEqual(['source', 1])
})

test.each(PLACES)('of two copies into one target on %s, one is refused and changes nothing', async place => {
  const target = await fresh(place)
  const { source, copy, child, release } = await heldCopy(target)
  const other = await fresh('sqlite')
  await makeStore(other, ['Other'])
  const [same, another] = [await petstore(copy), await petstore(['copy', '--from', other, '--to', target])]
  expect(same.stderr).toContain(place === 'sqlite' ? 'database is locked' : 'is in use')
  expect(another.stderr).toContain(' is not complete. ')
  const states = await Promise.all([source, target, other].map(stateOf))
  expect(states).toEqual(['source', 'target', 1])
  await release()
  expect(await child.exited).toBe(0)
  expect([await stateOf(source), await stateOf(target)]).toEqual(['source', 1])
})

test('a copy that waits for one that is stopped marks the source again, which then adds nothing', async () => {
  const target = await fresh('postgres')
  const { source, copy, child, release } = await heldCopy(target)
  const next = start(copy)
  await someoneWaits(target)
  child.kill('SIGINT')
  await release()
  expect([await child.exited, await next.child.exited]).toEqual([1, 0])
  expect([await stateOf(source), await stateOf(target)]).toEqual(['source', 1])
})

/** The system calls that change a file or a name, or sync them. Some names differ by CPU architecture. */
const CALLS = 'pwrite64 ftruncate fsync,fdatasync ?link,linkat ?unlink,unlinkat ?mkdir,mkdirat'.split(' ')
/** There are many writes, and most are of one kind. */
const EVERY_WRITE = 10

needs('strace').test('a copy of a file, killed at any step, leaves source or target in use', async () => {
  const [source, target] = [await fresh('sqlite'), await fresh('sqlite')]
  await seedSqlite(source, 20)
  const rows = sqliteRows(source)
  const copy = ['copy', '--from', source, '--to', target]
  const seen = new Map<string, number>()
  for (const calls of CALLS)
    for (let call = 1; ; call += calls === 'pwrite64' ? EVERY_WRITE : 1) {
      const inject = `inject=${calls}:signal=KILL:when=${call}`
      const within = [program('strace'), '-f', '-qq', '-o', '/dev/null', '-e', inject]
      const { code } = await petstore(copy, {}, { within })
      const left = String([await stateOf(source), await stateOf(target)])
      expect(['20,nothing', '20,target', 'source,target', 'source,20']).toContain(left)
      seen.set(left, 1 + (seen.get(left) ?? 0))
      if (left !== 'source,20') expect((await petstore(copy)).code).toBe(0)
      expect([await stateOf(source), sqliteRows(target)]).toEqual(['source', rows])
      for (const name of readdirSync(dirname(pathOf(target))))
        rmSync(`${dirname(pathOf(target))}/${name}`, { recursive: true })
      expect((await petstore(['copy', '--unmark', source, '--yes'])).code).toBe(0)
      if (code === 0) break
    }
  expect(seen.size).toBe(4)
})
