import type { Variables } from '../../config/read.ts'

/** The part of a stream that says what it can show. */
interface Stream {
  readonly isTTY?: boolean
}

/** https://no-color.org first, then https://force-color.org, then what the terminal can do. */
export function hasColour(stream: Stream, variables: Variables = process.env): boolean {
  if (variables.NO_COLOR || /^(0|false)$/.test(variables.FORCE_COLOR ?? '')) return false
  return !!variables.FORCE_COLOR || canRedraw(stream, variables)
}

/** Whether a line can be drawn again in its place. */
export const canRedraw = ({ isTTY }: Stream, variables: Variables = process.env): boolean =>
  isTTY === true && variables.TERM !== 'dumb'

const CODES = { green: 32, yellow: 33, red: 31 } as const

/** Paints text where the stream shows colours. */
export const painter =
  (stream: Stream) =>
  (colour: keyof typeof CODES, text: string): string =>
    hasColour(stream) ? `\u001b[${CODES[colour]}m${text}\u001b[0m` : text
