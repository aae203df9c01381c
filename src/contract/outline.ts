import { MAX_NESTING } from './limits.ts'
import { MESSAGES } from './messages.ts'

const [QUOTE, BACKSLASH, MINUS] = [34, 92, 45]
const [OPEN_ARRAY, CLOSE_ARRAY, OPEN_OBJECT, CLOSE_OBJECT] = [91, 93, 123, 125]

/** JSON that nests deeper than any animal needs. */
export class TooDeep extends Error {
  override readonly name = 'TooDeep'
  override readonly message = MESSAGES.nestsTooDeep
}

/** A text that does not close what it opens is no JSON, so a shorter one is either refused by the parser or not too deep. */
export const mayBeTooDeep = (text: string): boolean => text.length > 2 * MAX_NESTING

/**
 * What JSON.parse does not tell: how the numbers in the named fields of the outermost object are spelled. Of a field that is
 * there twice the last one counts, as JSON.parse has it. One pass; throws where the text nests too deep.
 */
export function literalsOf(text: string, fields: readonly string[]): Map<string, string> {
  const literals = new Map<string, string>()
  const hasEscapes = text.includes('\\')
  let depth = 0
  /** The field that the last string at the outermost level names, if it is one of these. */
  let field: string | undefined
  for (let at = 0; at < text.length; at++) {
    const character = text.charCodeAt(at)
    if (character === QUOTE) {
      const end = endOfString(text, at)
      if (depth === 1)
        field =
          fieldNamed(text, at + 1, end, fields) ??
          (hasEscapes ? fieldEscaped(text, at, end, fields) : undefined)
      at = end
    } else if (character === OPEN_OBJECT || character === OPEN_ARRAY) {
      if (++depth > MAX_NESTING) throw new TooDeep()
    } else if (character === CLOSE_OBJECT || character === CLOSE_ARRAY) depth--
    else if (depth === 1 && (character === MINUS || isDigit(character))) {
      // Within an object a number follows its name.
      const end = endOfNumber(text, at)
      if (field !== undefined) literals.set(field, text.slice(at, end))
      at = end - 1
    }
  }
  return literals
}

/** The closing mark, or the end of the text. */
function endOfString(text: string, opening: number): number {
  let at = opening + 1
  for (; at < text.length; at++) {
    const character = text.charCodeAt(at)
    if (character === QUOTE) break
    if (character === BACKSLASH) at++
  }
  return at
}

function endOfNumber(text: string, start: number): number {
  let at = start + 1
  while (at < text.length && isOfNumber(text.charCodeAt(at))) at++
  return at
}

const isDigit = (character: number): boolean => character >= 48 && character <= 57
/** A digit, or one of + - . E e: in JSON nothing else that follows a number begins with one. */
const isOfNumber = (character: number): boolean =>
  isDigit(character) ||
  character === 43 ||
  character === MINUS ||
  character === 46 ||
  (character | 32) === 101

const fieldNamed = (
  text: string,
  start: number,
  end: number,
  fields: readonly string[],
): string | undefined => fields.find(field => field.length === end - start && text.startsWith(field, start))

/** An escape takes six characters at most, so no field that is looked for is spelled longer. */
function fieldEscaped(
  text: string,
  start: number,
  end: number,
  fields: readonly string[],
): string | undefined {
  if (fields.every(field => end - start > 6 * field.length + 1)) return undefined
  const quoted = text.slice(start, end + 1)
  const name: unknown = quoted.includes('\\') ? JSON.parse(quoted) : undefined
  return fields.find(field => field === name)
}
