import { describe, expect, test } from 'bun:test'
import { statSync } from 'node:fs'
import type { Subprocess } from 'bun'
import { digestOf } from '../../../src/transfer/digest.ts'
import { fresh, PLACES, query } from '../../copy/places.ts'
import { pathOf, seedSqlite } from '../../copy/seed.ts'
import { petstore } from '../../support/service/cli.ts'
import { engineAt } from '../../support/service/engine-at.ts'
import { commandLine, environmentWith, eventually } from '../../support/service/process.ts'

const ANIMALS = 40_000

const startCopy = (from: string, to: string): Subprocess<'ignore', 'pipe', 'pipe'> =>
  Bun.spawn(commandLine('copy', '--from', from, '--to', to), {
    env: environmentWith({}),
    stdio: ['ignore', 'pipe', 'pipe'],
  })

/** Resolves as soon as the target has some, but not all, animals. */
function underway(target: string): Promise<true> {
  return eventually('the copy is underway', async () => ((await holdsSome(target)) ? true : undefined))
}

async function holdsSome(target: string): Promise<boolean> {
  if (target.startsWith('sqlite:'))
    return (statSync(`${pathOf(target)}-wal`, { throwIfNoEntry: false })?.size ?? 0) > 1_000_000
  // The table does not exist before the migrations have run.
  return query(target, 'SELECT 1 FROM pets LIMIT 1').then(
    rows => rows.length > 0,
    () => false,
  )
}

async function checksums(databaseUrl: string): Promise<string[]> {
  const snapshot = await engineAt(databaseUrl).openSnapshot()
  const sums = [
    await digestOf(snapshot, 'pets', () => {}),
    await digestOf(snapshot, 'keys', () => {}),
    await digestOf(snapshot, 'requests', () => {}),
    await digestOf(snapshot, 'deprecatedCalls', () => {}),
  ]
  await snapshot.close()
  return sums.map(({ count, checksum }) => `${count} ${checksum}`)
}

describe.each(PLACES)('a copy into %s that was interrupted', place => {
  test('by SIGKILL is refused by the service and finished by the same command', async () => {
    const source = await fresh('sqlite')
    const target = await fresh(place)
    await seedSqlite(source, ANIMALS)
    const copying = startCopy(source, target)
    await underway(target)
    copying.kill('SIGKILL')
    await copying.exited

    const served = await petstore(['serve', '--port', '0'], { DATABASE_URL: target })
    expect(served.code).toBe(1)
    expect(served.stderr).toContain('holds an unfinished copy of sqlite:')

    const onward = await petstore(['copy', '--from', target, '--to', await fresh('sqlite')])
    expect(onward.code).toBe(1)
    expect(onward.stderr).toContain('holds an unfinished copy')

    const again = await petstore(['copy', '--from', source, '--to', target])
    expect(again.stderr).toContain('Going on with the copy that was interrupted after animal')
    expect(again.code).toBe(0)
    expect(await checksums(target)).toEqual(await checksums(source))
  })

  test('by SIGINT says so, and starts over cleanly with another source', async () => {
    const source = await fresh('sqlite')
    const other = await fresh('sqlite')
    const target = await fresh(place)
    await seedSqlite(source, ANIMALS)
    await seedSqlite(other, 50)
    const copying = startCopy(source, target)
    await underway(target)
    copying.kill('SIGINT')
    expect(await copying.exited).toBe(1)
    expect(await copying.stderr.text()).toContain(
      'The copy is not complete. Stopped by SIGINT. The target is marked as unfinished',
    )

    const again = await petstore(['copy', '--from', other, '--to', target])
    expect(again.stderr).not.toContain('Going on')
    expect(again.code).toBe(0)
    expect(await checksums(target)).toEqual(await checksums(other))
  })
})
