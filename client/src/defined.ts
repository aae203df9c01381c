/** The entries of an object without those that are undefined: an option given as undefined counts as left out. */
export const entriesOf = (object: object = {}): [string, unknown][] =>
  Object.entries(object).filter(([, value]) => value !== undefined)
