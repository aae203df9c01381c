import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { INT64_MAX, INT64_MIN } from '../../contract/int64.ts'
import { PET_STATUSES, type Pet } from '../../contract/pet.ts'
import type { Entry } from '../entry.ts'
import { FILE_FORMATS, FORMAT_NAMES, type FormatName } from './index.ts'

const name = fc
  .string({ unit: 'binary', minLength: 1, maxLength: 255 })
  .filter(text => /\S/.test(text) && !text.includes('\0') && [...text].length <= 255)

const pet: fc.Arbitrary<Pet> = fc.record({
  id: fc.bigInt({ min: 1n, max: INT64_MAX }),
  name: fc.oneof(name, fc.constantFrom('"', ',', 'a\nb', '\r\nb', ' a ', '=1+1', '\uFEFFx', '[{"', '\\"')),
  categoryId: fc.bigInt({ min: INT64_MIN, max: INT64_MAX }),
  status: fc.constantFrom(...PET_STATUSES),
})

async function* cut(bytes: Uint8Array, size: number): AsyncGenerator<Uint8Array> {
  for (let start = 0; start < bytes.length; start += size) yield bytes.subarray(start, start + size)
}

async function readBytes(format: FormatName, bytes: Uint8Array, size = 7): Promise<Entry[]> {
  return (await Array.fromAsync(FILE_FORMATS[format].read(cut(bytes, size)))).flat()
}

const read = (format: FormatName, text: string): Promise<Entry[]> =>
  readBytes(format, new TextEncoder().encode(text))

const problems = async (format: FormatName, text: string): Promise<string[]> =>
  (await read(format, text)).map(entry => `${entry.line}: ${'problem' in entry ? entry.problem : 'good'}`)

async function* batchesOf(pets: readonly Pet[]): AsyncGenerator<readonly Pet[]> {
  for (let start = 0; start < pets.length; start += 3) yield pets.slice(start, start + 3)
}

describe.each(FORMAT_NAMES)('%s', format => {
  test('whatever is exported is imported as the same animals, however the bytes are cut', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(pet), fc.integer({ min: 1, max: 400 }), async (pets, size) => {
        const text = (await Array.fromAsync(FILE_FORMATS[format].write(batchesOf(pets)))).join('')
        const entries = await readBytes(format, new TextEncoder().encode(text), size)
        const found = entries.map(entry => ('pet' in entry ? entry.pet : entry.problem))
        expect(found).toEqual(pets.map(({ id: _, ...fields }) => fields))
      }),
    )
  })

  test('an exported name is text of the file format, never a way out of it', async () => {
    const hostile: Pet = { id: 1n, name: '"},{"name":"x"\n",,"', categoryId: 1n, status: 'sold' }
    const text = (await Array.fromAsync(FILE_FORMATS[format].write(batchesOf([hostile])))).join('')
    expect(await read(format, text)).toMatchObject([{ pet: { name: hostile.name } }])
  })
})

describe('NDJSON', () => {
  test('names each bad line with its number and every reason', async () => {
    const text = [
      '{"name":"Rex","categoryId":7}',
      '{"name":"","categoryId":"7"}',
      '',
      'Rex',
      '[]',
      '{"name":"Max","categoryId":9223372036854775808,"status":"gone"}',
      '{"name":"Ida","categoryId":3.0}\r',
    ].join('\n')
    expect(await problems('ndjson', text)).toEqual([
      '1: good',
      '2: name must have 1 to 255 characters; categoryId must be an integer from -9223372036854775808 to 9223372036854775807',
      '4: it is not JSON',
      '5: it must be a JSON object',
      '6: categoryId must be an integer from -9223372036854775808 to 9223372036854775807; status must be one of available, pending, sold',
      '7: good',
    ])
  })

  test('a file without a line break at its end, with a byte order mark, or empty is read all the same', async () => {
    expect(await problems('ndjson', '\uFEFF{"name":"Rex","categoryId":7}')).toEqual(['1: good'])
    expect(await problems('ndjson', '')).toEqual([])
  })

  test('a file that is one endless line is refused before it fills the memory', async () => {
    async function* endless(): AsyncGenerator<Uint8Array> {
      for (;;) yield new Uint8Array(1024 * 1024).fill(32)
    }
    expect(Array.fromAsync(FILE_FORMATS.ndjson.read(endless()))).rejects.toThrow('more than 16 MiB')
  })
})

const REX = '{"name":"Rex","categoryId":7}'
const badBytes: [format: FormatName, before: string, after: string][] = [
  ['ndjson', `${REX}\n{"name":"\uFFFD","categoryId":7}\n"`, `"\n${REX}\n`],
  ['json', `[${REX},\n{"name":"\uFFFD","categoryId":7},\n"`, `",\n${REX}]\n`],
  ['csv', 'name,categoryId\n\uFFFD,7\n', ',7\nRex,7\n'],
]
describe.each(badBytes)('%s', (format, before, after) => {
  test.each([1, 2, 3, 1000])(
    'names a line that is not UTF-8 and goes on with the next, in pieces of %i bytes',
    async size => {
      for (const bad of [[0xff], [0xc0, 0x80], [0xed, 0xa0, 0x80], [0xf0, 0x9f]]) {
        const bytes = Buffer.concat([Buffer.from(before), Buffer.from(bad), Buffer.from(after)])
        const entries = await readBytes(format, bytes, size)
        const damaged = entries.filter(entry => 'problem' in entry)
        expect(damaged).toEqual([{ line: 3, problem: expect.stringContaining('it is not valid UTF-8') }])
        expect(entries.some(entry => 'pet' in entry && entry.pet.name === '\uFFFD')).toBe(true)
        expect(entries.at(-1)).toMatchObject({ line: 4, pet: { name: 'Rex' } })
      }
    },
  )
})

describe('JSON', () => {
  test('a bracket too many spoils one animal and not the rest of the file', async () => {
    expect(await problems('json', `[${REX}},\n${REX},\n${REX}]`)).toEqual([
      '1: animal 1: it is not JSON',
      '2: good',
      '3: good',
    ])
  })

  test('names each bad animal with the line on which it begins and its place in the array', async () => {
    const text =
      '[\n {"name":"Rex","categoryId":7},\n {"name":"Max",\n  "categoryId":null},\n 7, {"name" "x"},\n\n {}\n]\n'
    expect(await problems('json', text)).toEqual([
      '2: good',
      '3: animal 2: categoryId must be an integer from -9223372036854775808 to 9223372036854775807',
      '5: animal 3: it must be a JSON object',
      '5: animal 4: it is not JSON',
      '7: animal 5: name is required; categoryId is required',
    ])
  })

  test.each([
    ['', '1: there is no JSON array'],
    ['{"name":"Rex"}', '1: the file does not begin with a JSON array'],
    ['[\n', '2: the JSON array is not closed: the file ends within it'],
    ['[]\n[]', '2: something follows the JSON array; it was not read'],
    ['[1,]', '1: animal 2: it is not JSON'],
  ])('%j is bad', async (text, problem) => {
    expect(await problems('json', text)).toContain(problem)
  })

  test('an empty array holds no animal', async () => {
    expect(await problems('json', ' [ ] ')).toEqual([])
  })
})

describe('CSV', () => {
  test('takes columns in any order, ignores others, and reads an empty status as none', async () => {
    const text = 'status,id,categoryId,name\r\n,99,-9223372036854775808,"Rex, ""the"" dog"\r\nsold,,7,Max\r\n'
    expect(await read('csv', text)).toEqual([
      { line: 2, pet: { name: 'Rex, "the" dog', categoryId: -9223372036854775808n, status: 'available' } },
      { line: 3, pet: { name: 'Max', categoryId: 7n, status: 'sold' } },
    ])
  })

  test('names each bad row with the line on which it begins', async () => {
    const text = 'name,categoryId\n"two\nlines",7\n\nRex\nMax,07\n,7\nA"b,7\nIda,\n"open,7\nBo,8\n'
    expect(await problems('csv', text)).toEqual([
      '2: good',
      '5: it has 1 field; the first line names 2',
      '6: categoryId must be an integer from -9223372036854775808 to 9223372036854775807',
      '7: name must have 1 to 255 characters',
      '8: a quotation mark stands where none may stand',
      '9: categoryId is required',
      '10: a quotation mark is not closed; all up to line 11 belongs to it',
    ])
  })

  test('a row of millions of fields, or of quotation marks, is named without taking long', async () => {
    const rows = [`"a"${','.repeat(3_000_000)}`, '"'.repeat(3_000_000), `"${'ab""'.repeat(700_000)}",7`]
    const before = process.cpuUsage()
    const bytes = Buffer.from(`name,categoryId\n${rows.join('\n')}\nRex,7\n`)
    const entries = await readBytes('csv', bytes, 65_536)
    // Processor time: on a busy machine the clock tells of the others.
    expect(process.cpuUsage(before).user / 1e6).toBeLessThan(20)
    expect(entries.map(entry => `${entry.line}: ${'problem' in entry ? entry.problem : 'good'}`)).toEqual([
      '2: it has 3,000,001 fields; the first line names 2',
      '3: it has 1 field; the first line names 2',
      '4: name must have 1 to 255 characters',
      '5: good',
    ])
  })

  test.each(['', 'Rex,7\n', 'name\nRex\n', 'name,name,categoryId\n'])('%j has no first line', text => {
    expect(read('csv', text)).rejects.toThrow('begins with a line that names its columns')
  })
})
