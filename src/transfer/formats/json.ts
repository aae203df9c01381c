import { type Pet, petToJson } from '../../contract/pet.ts'
import { type Entry, entryOfJson } from '../entry.ts'
import { assertBounded, decoded, NOT_UTF8, wasUtf8 } from './text.ts'

// As numbers, since millions of them are compared.
const [LINE_BREAK, QUOTE, BACKSLASH, COMMA] = [10, 34, 92, 44]
const [OPEN_ARRAY, CLOSE_ARRAY, OPEN_OBJECT, CLOSE_OBJECT] = [91, 93, 123, 125]
const SPACES = new Set([9, 10, 13, 32])

/** One JSON array, cut into its elements as it arrives, so that a file of any size passes through little memory. */
export async function* readJson(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Entry[]> {
  const splitter = new ArraySplitter()
  for await (const text of decoded(bytes)) yield splitter.push(text)
  yield splitter.end()
}

type State = 'before' | 'inside' | 'after' | 'failed'

class ArraySplitter {
  line = 1
  #state: State = 'before'
  #element = ''
  #startLine = 1
  #depth = 0
  #inString = false
  #isEscaped = false
  #elements = 0

  push(text: string): Entry[] {
    const entries: Entry[] = []
    let start = 0
    for (let index = 0; index < text.length && this.#state !== 'failed'; index++) {
      const character = text.charCodeAt(index)
      if (character === LINE_BREAK) this.line++
      if (this.#inString) this.#passString(character)
      else if (this.#state === 'inside') {
        const isEnd = this.#depth === 0 && (character === COMMA || character === CLOSE_ARRAY)
        if (isEnd) {
          this.#element += text.slice(start, index)
          this.#close(character === CLOSE_ARRAY, entries)
          start = index + 1
        } else this.#passStructure(character)
      } else if (!SPACES.has(character)) {
        if (this.#state === 'before' && character === OPEN_ARRAY) this.#open()
        else entries.push(this.#fail())
        start = index + 1
      }
    }
    if (this.#state === 'inside') {
      this.#element += text.slice(start)
      assertBounded(this.#element.length)
    }
    return entries
  }

  end(): Entry[] {
    if (this.#state === 'before') return [{ line: this.line, problem: 'there is no JSON array' }]
    return this.#state === 'inside'
      ? [{ line: this.#firstLine(), problem: 'the JSON array is not closed: the file ends within it' }]
      : []
  }

  #open(): void {
    this.#state = 'inside'
    this.#startLine = this.line
  }

  #close(isLast: boolean, entries: Entry[]): void {
    const isEmptyArray = isLast && this.#elements === 0 && this.#element.trim() === ''
    this.#elements++
    if (!isEmptyArray) entries.push(this.#entry())
    this.#element = ''
    this.#startLine = this.line
    if (isLast) this.#state = 'after'
  }

  /** A whole array may be on one line, so the number of the animal is given too. */
  #entry(): Entry {
    const line = this.#firstLine()
    const entry = wasUtf8(this.#element) ? entryOfJson(line, this.#element) : { line, problem: NOT_UTF8 }
    return 'pet' in entry ? entry : { line, problem: `animal ${this.#elements}: ${entry.problem}` }
  }

  /** The element begins after the white space that follows the comma. */
  #firstLine(): number {
    const indent = /^\s*/.exec(this.#element)?.[0] ?? ''
    return this.#startLine + (indent.includes('\n') ? indent.split('\n').length - 1 : 0)
  }

  #fail(): Entry {
    const problem =
      this.#state === 'before'
        ? 'the file does not begin with a JSON array'
        : 'something follows the JSON array; it was not read'
    this.#state = 'failed'
    return { line: this.line, problem }
  }

  #passString(character: number): void {
    if (this.#isEscaped) this.#isEscaped = false
    else if (character === BACKSLASH) this.#isEscaped = true
    else if (character === QUOTE) this.#inString = false
  }

  #passStructure(character: number): void {
    if (character === QUOTE) this.#inString = true
    else if (character === OPEN_OBJECT || character === OPEN_ARRAY) this.#depth++
    // One bracket too many makes one animal invalid, not the rest of the file.
    else if ((character === CLOSE_OBJECT || character === CLOSE_ARRAY) && this.#depth > 0) this.#depth--
  }
}

export async function* writeJson(batches: AsyncIterable<readonly Pet[]>): AsyncGenerator<string> {
  let separator = '[\n'
  for await (const batch of batches) {
    yield separator + batch.map(petToJson).join(',\n')
    separator = ',\n'
  }
  yield separator === '[\n' ? '[]\n' : '\n]\n'
}
