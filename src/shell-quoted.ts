/** A text as one word of a shell: within single quotes nothing has a meaning but the quote itself. */
export const shellQuoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`
