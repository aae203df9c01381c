import { expect, test } from 'bun:test'
import { mkdirSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { petstore } from '../../support/service/cli.ts'
import { freshFolder, freshSqliteUrl } from '../../support/service/folder.ts'

test('a TMPDIR that the processes cannot use is refused by serve and serve --check, each with what to do', async () => {
  const folder = await freshFolder()
  const long = join(folder, 'x'.repeat(100))
  // Few characters, but too many bytes.
  const wide = join(folder, 'é'.repeat(30))
  for (const path of [long, wide]) mkdirSync(path)
  const cases: [TMPDIR: string, advice: string][] = [
    ['/proc', 'Set TMPDIR to a folder that can be written to, or PETSTORE_PROCESSES to 1.'],
    [long, 'Set TMPDIR to a folder with a shorter name, or PETSTORE_PROCESSES to 1.'],
    [wide, 'Set TMPDIR to a folder with a shorter name, or PETSTORE_PROCESSES to 1.'],
  ]
  const variables = { DATABASE_URL: await freshSqliteUrl(), PORT: '0', PETSTORE_PROCESSES: '2' }
  for (const [TMPDIR, advice] of cases)
    for (const flags of [[], ['--check']]) {
      const { code, stderr } = await petstore(['serve', ...flags], { ...variables, TMPDIR })
      expect({ code, advice: stderr.slice(-advice.length - 1) }).toEqual({ code: 1, advice: `${advice}\n` })
    }
  const ran = await petstore(['serve', '--check'], { ...variables, TMPDIR: folder })
  expect({ code: ran.code, left: readdirSync(folder).length }).toEqual({ code: 0, left: 2 })
  expect([...readdirSync(long), ...readdirSync(wide)]).toEqual([])
})
