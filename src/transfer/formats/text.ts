import { InvalidInput } from '../../operator-error.ts'

const NEW_LINE = 10
/** No animal needs this much; a file without line breaks must not fill the memory. */
const MAX_PIECE_BYTES = 16 * 1024 * 1024

export const BOM = '\uFEFF'
export const NOT_UTF8 = 'it is not valid UTF-8'

/** Stands for bytes that are not UTF-8. No decoded text holds a lone surrogate, so it cannot be taken for anything else. */
const NOT_A_CHARACTER = '\uD800'
const REPLACEMENT = '\uFFFD'
const REPLACEMENT_BYTES = '\xEF\xBF\xBD'

/** Whether a piece of decoded text was UTF-8 to begin with. */
export const wasUtf8 = (text: string): boolean => text.isWellFormed()

/** Text as it arrives, cut between any two characters; `wasUtf8` says whether all of it was UTF-8. */
export async function* decoded(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
  let isFirst = true
  for await (const block of cutAfter(isAscii, bytes)) {
    const text = decodedOr(decoder, block) ?? markedText(block)
    yield isFirst && text.startsWith(BOM) ? text.slice(1) : text
    isFirst = false
  }
}

export function decodedOr(decoder: TextDecoder, bytes: Uint8Array): string | undefined {
  try {
    return decoder.decode(bytes)
  } catch {
    return undefined
  }
}

/** The decoder's own mark for bad bytes is a character that may occur in a name, so those that were there are kept apart. */
function markedText(block: Uint8Array): string {
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true })
  return Buffer.from(block)
    .toString('latin1')
    .split(REPLACEMENT_BYTES)
    .map(part => decoder.decode(Buffer.from(part, 'latin1')).replaceAll(REPLACEMENT, NOT_A_CHARACTER))
    .join(REPLACEMENT)
}

/** Whole lines, many at a time. */
export const lineBlocks = (bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> =>
  cutAfter(byte => byte === NEW_LINE, bytes)

/** No byte of a longer character looks like one. */
const isAscii = (byte: number): boolean => byte < 0x80

/** The bytes in blocks that end with a byte of a kind; what follows the last one comes at the end. */
async function* cutAfter(
  isEnd: (byte: number) => boolean,
  bytes: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  // Kept in pieces until its end arrives: concatenating at every chunk would take quadratic time.
  let rest: Uint8Array[] = []
  let restLength = 0
  for await (const chunk of bytes) {
    const end = chunk.findLastIndex(isEnd) + 1
    if (end > 0) {
      yield restLength === 0 ? chunk.subarray(0, end) : Buffer.concat([...rest, chunk.subarray(0, end)])
      rest = []
      restLength = 0
    }
    rest.push(chunk.slice(end))
    restLength += chunk.length - end
    assertBounded(restLength)
  }
  if (restLength > 0) yield Buffer.concat(rest)
}

export function assertBounded(length: number): void {
  if (length > MAX_PIECE_BYTES)
    throw new InvalidInput(
      'The file holds an animal of more than 16 MiB. Is it of the format that --format or its name says?',
    )
}
