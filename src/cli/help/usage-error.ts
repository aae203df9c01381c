import { printable } from '../terminal/printable.ts'

/** An error of the command-line parser as one line, like every other error. */
export function usageError(text: string): string {
  const line = text
    .trim()
    .replace(/^error: /, '')
    // Not `\s*\n`, which starts over at every blank.
    .split('\n')
    .map(part => part.trim())
    .join(' ')
    // A value may be a secret that was given to a misspelled flag.
    .replace(/^(unknown option '-[^=']*)=.*?'(?= \(|$)/s, "$1'")
    .replace(/ ?\(Did you mean ([^()]+)\?\)$/, '. Did you mean $1?')
  const sentence = line.charAt(0).toUpperCase() + line.slice(1)
  return `petstore: ${printable(sentence.replace(/[^.?]$/, '$&.'))} --help shows what there is.\n`
}
