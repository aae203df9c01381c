/** The entries of an object that are not undefined: an option set to undefined counts as omitted. */
export const entriesOf = (object: object = {}): [string, unknown][] =>
  Object.entries(object).filter(([, value]) => value !== undefined)
