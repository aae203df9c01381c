/** The most expensive 64 KB of input for a parser, and the parser, which may reject it. */
export interface WorstCase {
  readonly input: string
  readonly read: (input: string) => unknown
  /** Four times the input, for parsers of thousands of items: the test then checks how the time grows. */
  readonly fourfold?: string
}

export type WorstCases = Readonly<Record<string, Readonly<Record<string, WorstCase>>>>

export const SIZE = 64 * 1024
export const fill = (text: string, size = SIZE): string =>
  text.repeat(Math.ceil(size / text.length)).slice(0, size)
export const list = (item: string): string => `[${fill(`${item},`, SIZE - 16)}`.replace(/,[^,]*$/, ',1.5]')
export const members = (member: (n: number) => string): string => {
  const all: string[] = []
  for (let size = 0; size < SIZE - 32; size += (all.at(-1)?.length ?? 0) + 1) all.push(member(all.length))
  return `{${all.join(',')}}`
}

export const many = (piece: string, read: WorstCase['read'], before = ''): WorstCase => ({
  input: before + fill(piece),
  fourfold: before + fill(piece, 4 * SIZE),
  read,
})
