import type { PetStatus } from '../../../client/src/index.ts'
import { type Fields, type PetFile, readPetFile } from '../../transfer/pet-file.ts'
import { animalOf, type DraftLimits, problemsIn } from '../add/draft.ts'

export interface ImportLimits extends DraftLimits {
  readonly statuses: readonly PetStatus[]
}

/** The animals of a CSV or NDJSON file, and what is wrong with the others, in words for a person. */
export const parseFile = (bytes: Uint8Array, fileName: string, limits: ImportLimits): PetFile =>
  readPetFile(bytes, fileName, fields => checked(Object(fields) as Fields, limits))

function checked({ name, categoryId, status = 'available' }: Fields, limits: ImportLimits) {
  const known = limits.statuses.find(one => one === status)
  // Text is what the reader could not take for a whole number.
  const category = typeof categoryId === 'string' ? 'text' : String(categoryId ?? '')
  const draft = { name: typeof name === 'string' ? name : '', category, status: known ?? 'available' }
  const problems = problemsIn(draft, limits)
  const texts = [
    problems.name && `Name: ${problems.name}`,
    problems.categoryId && `Category: ${problems.categoryId}`,
    known === undefined && `Status: use one of ${limits.statuses.join(', ')}.`,
  ].filter(Boolean)
  return texts.length > 0 ? texts.join(' ') : { ...animalOf(draft), status: draft.status }
}
