import { expect, test } from 'bun:test'
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openFile } from './open.ts'
import { metaValue } from './schema.ts'

test('each database signs its cursors with a secret of its own, of 256 bits', () => {
  const [one, other] = [1, 2].map(() => {
    const path = join(mkdtempSync(join(tmpdir(), 'petstore-')), 'animals.db')
    using database = openFile({ path, environment: 'production' }, true)
    return metaValue(database, 'cursor_secret')
  })
  expect(one).toMatch(/^[0-9a-f]{64}$/)
  expect(other).toMatch(/^[0-9a-f]{64}$/)
  expect(one).not.toBe(other)
})
