/** Formats counts as 12,345; never used for identifiers. */
export const grouped = (count: number): string => count.toLocaleString('en')

export const nounOf = (count: number, noun: string): string => (count === 1 ? noun : `${noun}s`)

/** `1 animal`, `1,200 animals`. */
export const counted = (count: number, noun: string): string => `${grouped(count)} ${nounOf(count, noun)}`

export const animals = (count: number): string => counted(count, 'animal')

/** `1 of 300 matches`, `7 of 300 match`. */
export const matchesText = (found: number, outOf: number): string =>
  `${grouped(found)} of ${grouped(outOf)} ${found === 1 ? 'matches' : 'match'}`

/** Which rows a page has: `51–100 of 300`, or `51 of 51`. */
export const rangeText = (first: number, count: number, total: number): string =>
  `${grouped(first)}${count > 1 ? `–${grouped(first + count - 1)}` : ''} of ${grouped(total)}`

export const timeOf = (at: number): string =>
  // Not broken at the end of a line.
  new Date(at).toLocaleTimeString([], { hour: 'numeric', minute: '2-digit' }).replace(/\s/g, '\u00a0')
