const MOST_CHANGES = 3

/** The word that was probably meant: within a few wrong, missing, added or swapped letters. */
export function closest(text: string, words: readonly string[]): string | undefined {
  const allowed = Math.min(MOST_CHANGES, Math.floor(text.length / 2))
  return words
    .map(word => ({
      word,
      changes: Math.abs(word.length - text.length) > allowed ? Infinity : changes(text, word),
    }))
    .filter(({ changes }) => changes <= allowed)
    .sort((one, other) => one.changes - other.changes)[0]?.word
}

/** Number of such changes between two texts (Damerau–Levenshtein distance). */
function changes(from: string, to: string): number {
  const rows: number[][] = [Array.from({ length: to.length + 1 }, (_, column) => column)]
  const at = (row: number, column: number): number => rows[row]?.[column] ?? Infinity
  for (let row = 1; row <= from.length; row++) {
    rows.push([row])
    for (let column = 1; column <= to.length; column++) {
      const isSame = from[row - 1] === to[column - 1]
      const isSwapped = from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1]
      rows[row]?.push(
        Math.min(
          at(row - 1, column) + 1,
          at(row, column - 1) + 1,
          at(row - 1, column - 1) + (isSame ? 0 : 1),
          isSwapped ? at(row - 2, column - 2) + 1 : Infinity,
        ),
      )
    }
  }
  return at(from.length, to.length)
}
