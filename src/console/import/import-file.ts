import { PET_STATUSES } from '../../../client/src/index.ts'
import { encodingOf } from '../../transfer/decode.ts'
import { type CheckedRow, type PetFile, readPetFile } from '../../transfer/pet-file.ts'
import type { Fields } from '../../transfer/pet-rows.ts'
import { type CategoryNames, petOf, problemsIn, withCategoryNumber } from '../add/draft.ts'

/** Spreadsheets write large numbers like this, and lose digits. */
const WITH_EXPONENT = /^[+-]?\d+([.,]\d+)?E[+-]?\d+$/i
const NO_EXPONENT =
  'The spreadsheet wrote this number with an exponent. Format the column as a number without exponent, and save the file again.'

/** A category name in a file that has no number in this browser. */
interface Unnumbered {
  readonly name: string
  readonly lines: number
  /** The number for it, as it was typed. */
  readonly typed: string
}

/** A chosen file: its animals, the problems with its other rows, and the category names that need a number. */
export interface ImportFile extends PetFile {
  readonly name: string
  readonly unnumbered: readonly Unnumbered[]
  /** The same file, with a number for one of those names. */
  readonly answer: (name: string, typed: string) => ImportFile
}

export function importFile(
  bytes: Uint8Array,
  fileName: string,
  names: CategoryNames,
  encoding = encodingOf(bytes),
  answers: ReadonlyMap<string, string> = new Map(),
): ImportFile {
  const unnumbered = new Map<string, Unnumbered>()
  const numberNamed = (text: string): string | undefined => {
    const typedName = text.trim()
    const number = numberOf(typedName, names)
    if (number !== typedName) return number
    if (!/\p{L}/u.test(typedName) || WITH_EXPONENT.test(typedName)) return undefined
    const key = typedName.toLowerCase()
    const { name = typedName, lines = 0 } = unnumbered.get(key) ?? {}
    const typed = answers.get(name) ?? ''
    unnumbered.set(key, { name, lines: lines + 1, typed })
    const answer = numberOf(typed, names)
    return problemWithNumber(answer) ? undefined : answer
  }
  const file = readPetFile(
    bytes,
    fileName,
    fields => checked(Object(fields) as Fields, numberNamed),
    encoding,
  )
  const answer = (name: string, typed: string) =>
    importFile(bytes, fileName, names, encoding, new Map(answers).set(name, typed))
  return { ...file, name: fileName, unnumbered: [...unnumbered.values()], answer }
}

/** The number of a category that is given by its number or, as in the form, by its name in this browser. */
export const numberOf = (category: string, names: CategoryNames): string =>
  withCategoryNumber({ name: '', category, status: 'available' }, names).category

export const problemWithNumber = (category: string): string | undefined =>
  problemsIn({ name: 'any', category, status: 'available' }).category

/** Checks a row by the rules of the form, in words for people. */
function checked(
  { name, categoryId, status = 'available' }: Fields,
  numberNamed: (text: string) => string | undefined,
): CheckedRow {
  const known = PET_STATUSES.find(one => one === status)
  // It is text if the reader could not parse it as a whole number.
  const category =
    typeof categoryId === 'string'
      ? (numberNamed(categoryId) ?? (problemWithNumber(categoryId) ? categoryId : 'text'))
      : String(categoryId ?? '')
  const draft = { name: typeof name === 'string' ? name : '', category, status: known ?? 'available' }
  const problems = problemsIn(draft)
  const categoryProblem = WITH_EXPONENT.test(category.trim()) ? NO_EXPONENT : problems.category
  const texts = {
    ...(problems.name && { name: `Name: ${problems.name}` }),
    ...(categoryProblem && { categoryId: `Category: ${categoryProblem}` }),
    ...(known === undefined && { status: `Status: use one of ${PET_STATUSES.join(', ')}.` }),
  }
  const wrong = Object.keys(texts)
  if (wrong.length > 0) return { problem: Object.values(texts).join(' '), wrong }
  return { pet: { ...petOf(draft), status: draft.status } }
}
