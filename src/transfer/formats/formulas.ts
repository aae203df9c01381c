import type { Pet } from '../../contract/pet.ts'

/**
 * Where a spreadsheet would begin a cell that it runs: at the beginning, and behind what another country's spreadsheet takes
 * for the end of a cell. Blanks in front do not help; the wide forms count as the narrow ones in some.
 */
const FORMULA = /(?<=^|[\t\n\r",;|])(?=[^\S\t\n\r]*[=+\-@＝＋－＠]|^[\t\n\r])/gu

/** Puts an apostrophe before what a spreadsheet would take for a formula, so that it shows text. */
export const withoutFormulas = (text: string): string => text.replace(FORMULA, "'")

/** Only names are free text: the other columns are integers and fixed words, which no spreadsheet runs. */
export async function* petsWithoutFormulas(
  batches: AsyncIterable<readonly Pet[]>,
): AsyncGenerator<readonly Pet[]> {
  for await (const batch of batches) yield batch.map(pet => ({ ...pet, name: withoutFormulas(pet.name) }))
}
