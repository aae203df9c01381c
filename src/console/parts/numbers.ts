const FORMAT = new Intl.NumberFormat('en')

/** 12,345: for counts, never for identifiers. */
export const grouped = (count: number): string => FORMAT.format(count)

export const animals = (count: number): string => (count === 1 ? '1 animal' : `${grouped(count)} animals`)

export const timeOf = (at: number): string =>
  // In one piece, where the line ends.
  new Date(at).toLocaleTimeString([], { hour: 'numeric', minute: '2-digit' }).replace(/\s/g, '\u00a0')
