import type { PetStatus } from '../../../client/src/index.ts'
import { type BadRow, type Fields, type PetFile, readPetFile } from '../../transfer/pet-file.ts'
import { petOf, problemsIn } from '../add/draft.ts'

/** A chosen file: its animals, and what is wrong with its other rows. */
export interface ImportFile extends PetFile {
  readonly name: string
  /** These rows as a file of their own, to be corrected and chosen again. */
  readonly textOf: (rows: readonly BadRow[]) => string
}

export function importFile(bytes: Uint8Array, name: string, statuses: readonly PetStatus[]): ImportFile {
  const { good, bad } = readPetFile(bytes, name, fields => checked(Object(fields) as Fields, statuses))
  const starts = [...good, ...bad].map(({ line }) => line).sort((one, other) => one - other)
  return {
    name,
    good,
    bad,
    textOf: rows => {
      const lines = new TextDecoder().decode(bytes).split('\n')
      const textFrom = (start: number, end: number | undefined) =>
        lines
          .slice(start - 1, end && end - 1)
          .join('\n')
          .trimEnd()
      const head = textFrom(1, starts[0])
      const texts = rows.map(({ line }) =>
        textFrom(
          line,
          starts.find(start => start > line),
        ),
      )
      return `${[...(head ? [head] : []), ...texts].join('\n')}\n`
    },
  }
}

/** By the rules of the form, in words for a person. */
function checked({ name, categoryId, status = 'available' }: Fields, statuses: readonly PetStatus[]) {
  const known = statuses.find(one => one === status)
  // Text is what the reader could not take for a whole number.
  const category = typeof categoryId === 'string' ? 'text' : String(categoryId ?? '')
  const draft = { name: typeof name === 'string' ? name : '', category, status: known ?? 'available' }
  const problems = problemsIn(draft)
  const texts = [
    problems.name && `Name: ${problems.name}`,
    problems.category && 'Category: Enter a whole number, such as 7.',
    known === undefined && `Status: use one of ${statuses.join(', ')}.`,
  ].filter(Boolean)
  return texts.length > 0 ? texts.join(' ') : { ...petOf(draft), status: draft.status }
}
