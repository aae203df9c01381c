import { type Pet, petToJson } from '../../contract/pet.ts'
import { type Entry, entryOfJson } from '../entry.ts'
import { BOM, decodedOr, lineBlocks, NOT_UTF8 } from './text.ts'

/** One JSON object per line. Blank lines are counted and skipped. */
export async function* readNdjson(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Entry[]> {
  let line = 1
  for await (const block of lineBlocks(bytes)) {
    const texts = linesOf(block)
    const entries: Entry[] = []
    for (const [index, text] of texts.entries()) {
      const entry = entryOfLine(line + index, text)
      if (entry !== undefined) entries.push(entry)
    }
    line += texts.length
    yield entries
  }
}

function entryOfLine(line: number, text: string | undefined): Entry | undefined {
  if (text === '') return undefined
  if (text === undefined) return { line, problem: NOT_UTF8 }
  const json = line === 1 && text.startsWith(BOM) ? text.slice(1) : text
  return json.trim() === '' ? undefined : entryOfJson(line, json)
}

/** Undefined stands for a line that is not UTF-8. The block is decoded at once, since that is much faster, unless it cannot be. */
function linesOf(block: Uint8Array): (string | undefined)[] {
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
  const whole = decodedOr(decoder, block)
  const lines: (string | undefined)[] =
    whole?.split('\n') ?? splitBytes(block).map(line => decodedOr(decoder, line))
  if (lines.at(-1) === '') lines.pop()
  return lines
}

function splitBytes(block: Uint8Array): Uint8Array[] {
  const lines: Uint8Array[] = []
  let start = 0
  for (let end = block.indexOf(10); end >= 0; end = block.indexOf(10, start)) {
    lines.push(block.subarray(start, end))
    start = end + 1
  }
  return [...lines, block.subarray(start)]
}

export async function* writeNdjson(batches: AsyncIterable<readonly Pet[]>): AsyncGenerator<string> {
  for await (const batch of batches) yield batch.map(pet => `${petToJson(pet)}\n`).join('')
}
