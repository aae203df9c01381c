import { OperatorError } from '../../operator-error.ts'

const NEW_LINE = 10
/** No animal needs this much; a file without a line break must not fill the memory. */
const MAX_PIECE_BYTES = 16 * 1024 * 1024

export const NOT_UTF8 = 'it is not valid UTF-8'

/** Text as it arrives, cut anywhere. Where it stops being UTF-8, the last piece is undefined. */
export async function* decoded(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<string | undefined> {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  const textOf = (chunk?: Uint8Array): string | undefined => {
    try {
      return chunk === undefined ? decoder.decode() : decoder.decode(chunk, { stream: true })
    } catch {
      return undefined
    }
  }
  for await (const chunk of bytes) {
    const text = textOf(chunk)
    yield text
    if (text === undefined) return
  }
  yield textOf()
}

/** Whole lines, many at a time. */
export async function* lineBlocks(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let rest: Uint8Array = new Uint8Array()
  for await (const chunk of bytes) {
    const end = chunk.lastIndexOf(NEW_LINE) + 1
    if (end > 0) {
      yield rest.length === 0 ? chunk.subarray(0, end) : Buffer.concat([rest, chunk.subarray(0, end)])
      rest = chunk.slice(end)
    } else rest = Buffer.concat([rest, chunk])
    assertBounded(rest.length)
  }
  if (rest.length > 0) yield rest
}

export function assertBounded(length: number): void {
  if (length > MAX_PIECE_BYTES)
    throw new OperatorError(
      'The file holds an animal of more than 16 MiB. Is it of the format that --format or its name says?',
    )
}
