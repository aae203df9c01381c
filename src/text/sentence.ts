/** A finding as a sentence: a first word with a capital letter, but not an address or a path, and a full stop. */
export const asSentence = (finding: string): string =>
  finding.replace(/^[a-z](?=[a-z]* )/, letter => letter.toUpperCase()).replace(/[^.]$/, '$&.')
