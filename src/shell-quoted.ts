/** A text as one shell word: within single quotes only the quote itself is special. */
export const shellQuoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`
