import { type Below, pick, weighted } from './choice.ts'

/** UTF-8 broken in every way: lone continuations, cut sequences, overlong forms, surrogates, beyond U+10FFFF, no UTF-8 at all. */
const BROKEN = [
  [0x80],
  [0xbf],
  [0xc0, 0x80],
  [0xc1, 0xbf],
  [0xc2],
  [0xc2, 0x20],
  [0xe0, 0x80, 0x80],
  [0xe0, 0x9f, 0xbf],
  [0xe2, 0x82],
  [0xed, 0xa0, 0x80],
  [0xed, 0xbf, 0xbf],
  [0xed, 0xa0, 0x80, 0xed, 0xb0, 0x80],
  [0xef, 0xbf],
  [0xf0, 0x80, 0x80, 0x80],
  [0xf0, 0x8f, 0xbf, 0xbf],
  [0xf0, 0x9f, 0x98],
  [0xf4, 0x90, 0x80, 0x80],
  [0xf5, 0x80, 0x80, 0x80],
  [0xf8, 0x88, 0x80, 0x80, 0x80],
  [0xfe],
  [0xff],
  [0xff, 0xfe],
  [0xfe, 0xff],
  [0x00],
  [0xef, 0xbb, 0xbf],
]

const encoder = new TextEncoder()

/** A text as bytes, whole or damaged. */
export function encode(below: Below, text: string): Uint8Array {
  const bytes = encoder.encode(text)
  return weighted(below, [
    [12, () => bytes],
    [2, () => insert(bytes, pick(below, BROKEN), below(bytes.length + 1))],
    [1, () => bytes.slice(0, below(bytes.length + 1))],
    [1, () => flipped(below, bytes)],
    [1, () => insert(bytes, [...bytes.slice(0, below(20))], below(bytes.length + 1))],
    [1, () => new Uint8Array(Buffer.from(text, 'utf16le'))],
  ])
}

function insert(bytes: Uint8Array, extra: readonly number[], at: number): Uint8Array {
  return Buffer.concat([bytes.subarray(0, at), Uint8Array.from(extra), bytes.subarray(at)])
}

function flipped(below: Below, bytes: Uint8Array): Uint8Array {
  const copy = bytes.slice()
  for (let n = 0; n <= below(4) && copy.length > 0; n++) copy[below(copy.length)] = below(256)
  return copy
}
