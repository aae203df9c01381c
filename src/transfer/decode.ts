/** A file is held in memory, because all of it is checked before anything is added. */
export const MAX_FILE_BYTES = 32 * 1024 * 1024

/** The file as a whole cannot be read. The message says what to do. */
export class UnreadableFile extends Error {
  override readonly name = 'UnreadableFile'
}

/** The file's bytes do not tell how its letters are to be read. Someone who can see them may choose one of `readingsOf`. */
export class UnknownEncoding extends UnreadableFile {}

/** Encodings of spreadsheets that do not write Unicode. All of them can read nearly any byte. */
const GUESSES = ['windows-1252', 'macintosh', 'windows-1250', 'windows-1251'] as const
export type Encoding = (typeof GUESSES)[number] | 'utf-8' | 'utf-16le' | 'utf-16be'

/** The text of a file, without its byte order mark. */
export function decoded(bytes: Uint8Array, encoding = encodingOf(bytes)): string {
  if (bytes.length > MAX_FILE_BYTES)
    throw new UnreadableFile('The file is larger than 32 MiB. Split it into smaller files.')
  if (startsWith(bytes, 0x50, 0x4b) || startsWith(bytes, 0xd0, 0xcf, 0x11, 0xe0))
    throw new UnreadableFile('This is an archive or spreadsheet file. In the spreadsheet, save as CSV UTF-8.')
  if (!encoding.startsWith('utf-16') && bytes.includes(0))
    throw new UnreadableFile('This is not a text file. Choose a CSV or NDJSON file.')
  try {
    const text = new TextDecoder(encoding, { fatal: true }).decode(bytes)
    if (text.trim() !== '') return text
  } catch {
    const isMarked = encoding !== 'utf-8' || startsWith(bytes, 0xef, 0xbb, 0xbf)
    if (isMarked)
      throw new UnreadableFile('The file is damaged. In the spreadsheet, save as CSV UTF-8 again.')
    throw new UnknownEncoding(
      'The file is neither UTF-8 nor UTF-16. In the spreadsheet, save as CSV UTF-8, or convert it: iconv -f WINDOWS-1252 -t UTF-8',
    )
  }
  throw new UnreadableFile('The file is empty.')
}

/** UTF-16 begins with a byte order mark, or with a letter of which one byte is 0. */
function encodingOf(bytes: Uint8Array): Encoding {
  if (startsWith(bytes, 0xff, 0xfe) || (bytes[0] && bytes[1] === 0)) return 'utf-16le'
  if (startsWith(bytes, 0xfe, 0xff) || (bytes[0] === 0 && bytes[1])) return 'utf-16be'
  return 'utf-8'
}

const startsWith = (bytes: Uint8Array, ...first: readonly number[]): boolean =>
  first.every((byte, index) => bytes[index] === byte)

const MOST_WORDS = 5
/** Longer words are cut, because people read them. */
const WORDS = /[^\s,;"{}]{1,60}/gu
const UNUSUAL = /\P{ASCII}/u
/** Where words are looked for: this many characters before and after the first unusual one. */
const [BEFORE, AFTER] = [30, 100_000]

/** A way to read a file that is not Unicode, and words that show whether it is the right one. */
export interface Reading {
  readonly encoding: Encoding
  readonly words: readonly string[]
}

/** The likeliest first. Of those that give the same text, only one. */
export function readingsOf(bytes: Uint8Array): readonly Reading[] {
  // Only old Mac programs end a line without LF.
  const order = bytes.includes(0x0a) ? GUESSES : (['macintosh', ...GUESSES] as const)
  const readings = new Map<string, Reading>()
  for (const encoding of order) {
    const text = decoded(bytes, encoding)
    const words = new Set<string>()
    const first = text.search(UNUSUAL)
    for (const [word] of text.slice(Math.max(0, first - BEFORE), first + AFTER).matchAll(WORDS)) {
      if (UNUSUAL.test(word)) words.add(word)
      if (words.size === MOST_WORDS) break
    }
    if (!readings.has(text)) readings.set(text, { encoding, words: [...words] })
  }
  return [...readings.values()]
}
