import { describe, expect, test } from 'bun:test'
import { readdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { fresh, PLACES, seedSqlite } from '../../copy/stores.ts'
import { query } from '../../support/postgres.ts'
import { eventually, pathOf, petstore, start } from '../../support/process.ts'

/** Resolves as soon as the copy writes; SQLite's log shows that late, so the draft is enough. */
const underway = (target: string): Promise<true> =>
  eventually('the copy is underway', async () => {
    if (target.startsWith('sqlite:')) return readdirSync(dirname(pathOf(target))).length > 0 || undefined
    const rows = await query(target, "SELECT FROM pg_stat_activity WHERE query LIKE 'INSERT INTO pets%'")
    return rows.length > 0 || undefined
  })

describe.each(PLACES)('a copy into %s', place => {
  test.each(['SIGKILL', 'SIGINT'] as const)(
    'that %s ends leaves the target empty for the next one',
    async signal => {
      const source = await fresh('sqlite')
      const target = await fresh(place)
      await seedSqlite(source, 200_000)
      const copy = ['copy', '--from', source, '--to', target]
      const { child, stderr } = start(copy)
      await underway(target)
      child.kill(signal)
      await child.exited
      if (signal === 'SIGINT') expect(stderr.text).toContain('Nothing was copied. Stopped by SIGINT.')
      const again = await petstore(copy)
      expect(again.code).toBe(0)
      expect(again.stdout).toContain('200,000')
    },
  )
})
