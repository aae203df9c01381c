import { beforeAll, expect, test } from 'bun:test'
import { existsSync } from 'node:fs'
import { mkdir, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { pathOf } from '../copy/seed.ts'
import { petstore } from '../support/service/cli.ts'
import { freshFolder, freshSqliteUrl } from '../support/service/folder.ts'

const REX = '{"name":"Rex","categoryId":7}'
const bytes = (...parts: (string | number[])[]): Buffer =>
  Buffer.concat(parts.map(part => Buffer.from(part as string)))

/** The expected complaint says what is wrong with each file. */
const FILES: Readonly<Record<string, readonly [content: Buffer | string, complaint: RegExp]>> = {
  'nul.ndjson': ['{"name":"R\\u0000x","categoryId":7}\n', /line 1: name must not contain a NUL character/],
  'zeros.ndjson': [Buffer.alloc(100_000), /line 1: it is not JSON/],
  'zeros.json': [Buffer.alloc(100_000), /line 1: the file does not begin with a JSON array/],
  'zeros.csv': [Buffer.alloc(100_000), /begins with a line that names its columns/],
  'long.ndjson': [`{"name":"${'x'.repeat(1e6)}","categoryId":7}\n${REX}`, /line 1: name must have 1 to 255/],
  'endless.json': [`[{"name":"${'x'.repeat(17e6)}`, /an animal of more than 16 MiB/],
  'broken.ndjson': [bytes(`${REX}\n{"name":"`, [0xff], '"}\n', REX), /line 2: it is not valid UTF-8/],
  'broken.json': [
    bytes(`[${REX},\n{"name":"`, [0xff], `"},\n${REX}]`),
    /line 2: animal 2: it is not valid UTF-8/,
  ],
  'broken.csv': [
    bytes('name,categoryId\nRex,7\n', [0xc3, 0x28], ',7\nMia,8\n'),
    /line 3: it is not valid UTF-8/,
  ],
  'utf16.csv': [Buffer.from('\uFEFFname,categoryId\nRex,7\n', 'utf16le'), /names its columns/],
  'deep.ndjson': [`${'['.repeat(1e6)}\n${REX}`, /line 1: it nests deeper than 64 levels/],
  'number.ndjson': [
    `{"name":"n","categoryId":1${'0'.repeat(1e6)}1}`,
    /line 1: categoryId must be an integer/,
  ],
  'deep.json': ['['.repeat(1e6), /the JSON array is not closed/],
  'large.ndjson': ['{"name":"n","categoryId":9223372036854775808}', /line 1: categoryId must be an integer/],
  'large.csv': ['name,categoryId\nn,-9223372036854775809\n', /line 2: categoryId must be an integer/],
  'rounded.ndjson': ['{"name":"n","categoryId":1e400}', /line 1: categoryId must be an integer/],
  'text.csv': ['name,categoryId\nn,1e3\nn, 7\nn,0x10\n', /line 2: .*\nline 3: .*\nline 4: /],
  'cut.json': [`[${REX},{"name":`, /line 1: the JSON array is not closed: the file ends within it/],
  'two.json': [`[${REX}]\n[${REX}]`, /line 2: something follows the JSON array; it was not read/],
  'open.csv': [
    'name,categoryId\n"Rex,7\nMia,8\n',
    /line 2: a quotation mark is not closed; all up to line 3/,
  ],
  'empty.json': ['', /line 1: there is no JSON array/],
  'empty.csv': ['', /begins with a line that names its columns/],
  'unknown.xml': [REX, /does not show its format/],
}

let folder: string
beforeAll(async () => {
  folder = await freshFolder()
  await Promise.all(Object.entries(FILES).map(([name, [content]]) => Bun.write(join(folder, name), content)))
  await mkdir(join(folder, 'folder.csv'))
  await symlink('loop.csv', join(folder, 'loop.csv'))
})

const importing = async (name: string, ...flags: string[]) => {
  const databaseUrl = await freshSqliteUrl()
  const ran = await petstore([
    'pets',
    'import',
    join(folder, name),
    '--create',
    '--yes',
    '--database-url',
    databaseUrl,
    ...flags,
  ])
  return { ...ran, databaseUrl }
}

test.each(Object.entries(FILES))(
  '%s is refused with a reason, and no animal is added',
  async (name, [, complaint]) => {
    const { code, stdout, stderr, databaseUrl } = await importing(name)
    expect({ code: [1, 2].includes(code), stdout }).toEqual({ code: true, stdout: '' })
    expect(stderr).toMatch(complaint)
    expect(stderr).toMatch(/(^|\n)petstore: [^\n]+\n$/)
    expect(stderr).not.toContain('    at ')
    const { stdout: animals } = await petstore(['pets', 'export', '--database-url', databaseUrl])
    expect(animals).toBe('')
  },
)

test.each([
  ['missing.csv', 'There is no file', 3],
  ['folder.csv', 'is a folder', 2],
  ['loop.csv', 'There is no file', 3],
])('%s is refused before any database is made', async (name, reason, exit) => {
  const { code, stderr, databaseUrl } = await importing(name)
  expect(code).toBe(exit)
  expect(stderr).toMatch(/^petstore: [^\n]+\n$/)
  expect(stderr).toContain(reason)
  expect(existsSync(pathOf(databaseUrl))).toBe(false)
})

test.each([
  ['bom.ndjson', `\uFEFF${REX}\r\n\r\n${REX}`],
  ['bom.json', `\uFEFF[\r\n${REX},\r\n${REX}\r\n]`],
  ['bom.csv', '\uFEFFname,categoryId,status\r\nRex,7,\r\n\r\nRex,7,available\r\n'],
])(
  '%s, as other systems write it, is imported: a byte order mark, CRLF, blank lines',
  async (name, content) => {
    await Bun.write(join(folder, name), content)
    const { code, stdout, databaseUrl } = await importing(name)
    expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringContaining('Imported 2 animals') })
    const { stdout: animals } = await petstore(['pets', 'export', '--database-url', databaseUrl])
    expect(animals.match(/"name":"Rex","categoryId":7,"status":"available"/g)).toHaveLength(2)
  },
)

test('a file without animals says so and ends well', async () => {
  await Bun.write(join(folder, 'none.ndjson'), '\n\n')
  const { code, stdout } = await importing('none.ndjson')
  expect({ code, stdout }).toEqual({ code: 0, stdout: 'It holds no animals; none was imported.\n' })
})

test('what is left out by --continue is all that is missing, whichever bytes are bad', async () => {
  for (const name of ['broken.ndjson', 'broken.json', 'broken.csv']) {
    const { code, stdout } = await importing(name, '--continue')
    expect({ name, code, stdout }).toEqual({
      name,
      code: 6,
      stdout: expect.stringContaining('Imported 2 animals'),
    })
  }
})
