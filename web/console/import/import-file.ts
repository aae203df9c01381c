import { PET_STATUSES } from '../../../client/src/index.ts'
import { INT64_MAX } from '../../../src/contract/int64.ts'
import type { Encoding } from '../../../src/transfer/decode.ts'
import { type CheckedRow, type PetFile, readPetFile } from '../../../src/transfer/pet-file.ts'
import { type CategoryNames, numberOf, petOf, problemsIn, problemWithNumber } from '../add/draft.ts'

/** Spreadsheets write large numbers like this, and lose digits. */
const WITH_EXPONENT = /^[+-]?\d+([.,]\d+)?E[+-]?\d+$/i
const NO_EXPONENT =
  'The spreadsheet wrote this number with an exponent. Format the column as a number without exponent, and save the file again.'

/** A category name in a file that has no number in this browser. */
interface Unnumbered {
  readonly name: string
  readonly lines: number
  /** What was typed as its number, the number that this means, and what is wrong with it. */
  readonly typed: string
  readonly number: string
  readonly problem: string | undefined
}

export interface ChosenFile {
  readonly bytes: Uint8Array
  readonly name: string
  readonly encoding?: Encoding
  /** The store is compared as it is after this moment. */
  readonly chosenAt: number
  /** Numbers for category names, as they were typed, by the name in lower case. */
  readonly answers: ReadonlyMap<string, string>
  /** What is added although it would be left out. */
  readonly asked: ReadonlySet<Doubtful>
}

/** Rows that are left out unless someone asks for them: the store has the same animal, or they have an ID and may be meant as changes. */
export type Doubtful = 'known' | 'changed'

/** Its animals, the problems with its other rows, and the category names that need a number. */
export interface ImportFile extends PetFile, ChosenFile {
  readonly unnumbered: readonly Unnumbered[]
}

export function importFile(chosen: ChosenFile, names: CategoryNames): ImportFile {
  const { bytes, name: fileName, encoding, answers } = chosen
  const unnumbered = new Map<string, Unnumbered>()
  /** The number of a category, or text that is none. */
  const categoryOf = (value: unknown): string => {
    // It is text if the reader could not parse it as a whole number.
    if (typeof value !== 'string') return String(value ?? '')
    const text = value.trim()
    const known = numberOf(text, names)
    if (known !== text) return known
    if (WITH_EXPONENT.test(text)) return text
    // A number that JSON has as a string, or with leading zeros, is not a number for the service.
    if (!/\p{L}/u.test(text)) return problemWithNumber(text) ? text : 'text'
    const key = text.toLowerCase()
    const { name = text, lines = 0 } = unnumbered.get(key) ?? {}
    const typed = answers.get(key) ?? ''
    const answer = numberOf(typed, names)
    const problem = problemWithNumber(answer)
    // Without leading zeros, because the name is stored under this number.
    const number = problem ? answer : String(BigInt(answer))
    unnumbered.set(key, { name, lines: lines + 1, typed, number, problem })
    return problem ? text : number
  }
  const file = readPetFile(bytes, fileName, fields => checked(Object(fields), categoryOf), encoding)
  return { ...chosen, ...file, unnumbered: [...unnumbered.values()] }
}

/** Checks a row by the rules of the form, in words for people. */
function checked(
  fields: Readonly<Record<string, unknown>>,
  categoryOf: (value: unknown) => string,
): CheckedRow {
  const { name, status = 'available' } = fields
  // The reader of JSON makes NaN of a number that is too large.
  const isTooLarge = typeof fields.categoryId === 'number' && !Number.isFinite(fields.categoryId)
  const categoryId = isTooLarge ? INT64_MAX + 1n : fields.categoryId
  const known = PET_STATUSES.find(one => one === status)
  const category = categoryOf(categoryId)
  const draft = { name: typeof name === 'string' ? name : '', category, status: known ?? 'available' }
  const problems = problemsIn(draft)
  const categoryProblem = WITH_EXPONENT.test(category) ? NO_EXPONENT : problems.category
  const found = [
    [problems.name && `Name: ${problems.name}`, name],
    [categoryProblem && `Category: ${categoryProblem}`, categoryId],
    [!known && `Status: use one of ${PET_STATUSES.join(', ')}.`, status],
  ].filter(([problem]) => problem)
  if (found.length === 0) return { pet: { ...petOf(draft), status: draft.status } }
  return {
    problem: found.map(([problem]) => problem).join(' '),
    wrong: found.map(([, value]) => String(value ?? '').trim()).filter(Boolean),
  }
}
