import { expect, test } from 'bun:test'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { petstore } from '../support/service/cli.ts'
import { freshFolder, freshSqliteUrl } from '../support/service/folder.ts'

const NAMES = ['=HYPERLINK("http://127.0.0.1/?"&A1,"Rex")', '+1', '-2+3', '@SUM(A1)', 'Mia', 'Rex;=1']

test('an export is exact unless asked otherwise; --spreadsheet-safe leaves no name that a spreadsheet would run', async () => {
  const folder = await freshFolder()
  const variables = { DATABASE_URL: await freshSqliteUrl() }
  const animals = NAMES.map(name => `${JSON.stringify({ name, categoryId: -5 })}\n`)
  writeFileSync(join(folder, 'in.ndjson'), animals.join(''))
  const run = (...args: string[]) => petstore(['pets', ...args], variables)
  expect((await run('import', join(folder, 'in.ndjson'), '--create', '--yes')).code).toBe(0)

  expect((await run('export', join(folder, 'exact.csv'))).code).toBe(0)
  expect(readFileSync(join(folder, 'exact.csv'), 'utf8')).toContain('"=HYPERLINK(')

  const safe = join(folder, 'safe.csv')
  expect((await run('export', safe, '--spreadsheet-safe')).code).toBe(0)
  expect(readFileSync(safe, 'utf8').split('\r\n')).toEqual([
    'id,name,categoryId,status',
    `1,"'=HYPERLINK(""http://127.0.0.1/?""&A1,""Rex"")",-5,available`,
    "2,'+1,-5,available",
    "3,'-2+3,-5,available",
    "4,'@SUM(A1),-5,available",
    '5,Mia,-5,available',
    "6,Rex;'=1,-5,available",
    '',
  ])
  // The file can be imported; the apostrophes become part of the names.
  const again = { DATABASE_URL: await freshSqliteUrl() }
  expect((await petstore(['pets', 'import', safe, '--create', '--yes'], again)).code).toBe(0)
  expect((await petstore(['pets', 'export', '-'], again)).stdout).toContain(`"name":"'+1"`)

  const refused = await run('export', join(folder, 'x.json'), '--spreadsheet-safe')
  expect(`${refused.code} ${refused.stderr}`).toBe('2 petstore: --spreadsheet-safe is for CSV only.\n')
})

test('an export takes neither the place of the database nor that of a device', async () => {
  const databaseUrl = await freshSqliteUrl()
  const path = databaseUrl.replace('sqlite:', '')
  const run = (file: string) =>
    petstore(['pets', 'export', file, '--format', 'csv', '--force'], { DATABASE_URL: databaseUrl })
  expect(
    (await petstore(['keys', 'create', '--create', '--name', 'x'], { DATABASE_URL: databaseUrl })).code,
  ).toBe(0)
  const before = readFileSync(path)
  for (const part of ['', '-wal', '-journal'])
    expect((await run(path + part)).stderr).toContain('is the database itself')
  expect(readFileSync(path).equals(before)).toBe(true)
  expect((await run('/dev/null')).stderr).toContain('is not a file')
})
