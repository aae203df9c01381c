import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js'
import { NEW_PET_FIELDS, type NewPet, PET_FIELDS, type Pet, type ReadPet } from '../contract/pet.ts'
import { csvLine, withoutFormulas } from './csv.ts'
import { decoded, type Encoding } from './decode.ts'
import { type BadRow, type Row, type Rows, readRows } from './pet-rows.ts'

/** Files of animals, CSV or NDJSON, for the command line and the console. */

/** The animal in a row, or what is wrong with it. */
export type CheckedRow = ReadPet & Pick<BadRow, 'wrong'>

export interface GoodRow extends Row {
  readonly pet: NewPet
  /** 1 for the first row with this content, 2 for the next one. */
  readonly occurrence: number
  /** An animal that was exported: an import would not change it but add another one, so it is left out unless asked for. */
  readonly hasId: boolean
}

export interface PetFile extends Pick<Rows, 'corrections' | 'notRead'> {
  readonly good: readonly GoodRow[]
  readonly bad: readonly BadRow[]
}

export function readPetFile(
  bytes: Uint8Array,
  fileName: string,
  check: (fields: unknown) => CheckedRow,
  encoding?: Encoding,
): PetFile {
  const good: GoodRow[] = []
  const bad: BadRow[] = []
  const occurrences = new Map<string, number>()
  const isMarked = bytes[0] === 0xef && bytes[1] === 0xbb
  const { rows, ...file } = readRows(decoded(bytes, encoding), fileName, isMarked)
  for (const row of rows) {
    const { line, text } = row
    const { pet, problem, wrong }: CheckedRow = 'problem' in row ? row : check(row.fields)
    const hasId = 'fields' in row && Object.hasOwn(Object(row.fields), 'id')
    if (pet === undefined) bad.push({ line, text, problem, wrong })
    else good.push({ line, text, pet, occurrence: countUp(occurrences, contentOf(pet)), hasId })
  }
  return { good, bad, ...file }
}

function countUp(counts: Map<string, number>, content: string): number {
  const count = (counts.get(content) ?? 0) + 1
  counts.set(content, count)
  return count
}

type Content = { readonly [Name in keyof NewPet]?: unknown }

/** Equal for equal animals, whatever their identifiers. */
export const contentOf = (pet: Content): string =>
  ['', ...NEW_PET_FIELDS.map(({ name }) => String(pet[name]))].join('\0')

/**
 * The same row gets the same key in any file, so that nothing is added twice when an import is stopped, retried or corrected. `run`
 * makes the key a different one. 128 bits of SHA-256; not by crypto.subtle, which is missing on pages without TLS.
 */
export function importKeyOf({ pet, occurrence }: GoodRow, run = ''): string {
  const hash = bytesToHex(sha256(utf8ToBytes(contentOf(pet))).subarray(0, 16))
  return `import-${hash}-${occurrence}${run && `-${run}`}`
}

/** The rows whose animals the store has: of each content as many as there are, the first ones in the file. */
export function rowsAlreadyIn(pets: readonly Content[], rows: readonly GoodRow[]): readonly GoodRow[] {
  const counts = new Map<string, number>()
  for (const pet of pets) countUp(counts, contentOf(pet))
  return rows.filter(({ pet, occurrence }) => occurrence <= (counts.get(contentOf(pet)) ?? 0))
}

export type Format = 'csv' | 'ndjson'

/** The beginning of a file. Without a byte order mark, a spreadsheet would mistake UTF-8 for another encoding. */
export const fileHead = (format: Format, forSpreadsheets: boolean): string =>
  format === 'ndjson'
    ? ''
    : `${forSpreadsheets ? '\ufeff' : ''}${csvLine(PET_FIELDS.map(({ name }) => name))}`

/** One animal as a CSV line. Only names are free text, which a spreadsheet could run. */
export const csvLineOf = (
  pet: { readonly [Name in keyof Pet]?: Pet[Name] | string | undefined },
  forSpreadsheets: boolean,
): string =>
  csvLine(
    PET_FIELDS.map(({ name, kind }) => {
      const text = String(pet[name] ?? '')
      return forSpreadsheets && kind === 'text' ? withoutFormulas(text) : text
    }),
  )
