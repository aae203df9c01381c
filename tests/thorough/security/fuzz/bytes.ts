import fc from 'fast-check'
import { weighted } from './json.ts'

/** Invalid UTF-8: lone continuations, cut sequences, overlong forms, surrogates, beyond U+10FFFF, not UTF-8 at all. */
const BROKEN =
  `80 bf c080 c1bf c2 c220 e08080 e09fbf e282 eda080 edbfbf eda080edb080 efbf f0808080 f08fbfbf f09f98 f4908080 f5808080
  f888808080 fe ff fffe feff 00 efbbbf`
    .split(/\s+/)
    .map(hex => Buffer.from(hex, 'hex'))

const insert = (bytes: Uint8Array, extra: Uint8Array, at: number): Uint8Array =>
  Buffer.concat([bytes.subarray(0, at), extra, bytes.subarray(at)])

/** What may happen to the bytes of a text in transit. */
type Damage = (text: string, bytes: Uint8Array) => Uint8Array

const place = fc.nat(65_536)
const at = (bytes: Uint8Array, where: number): number => where % (bytes.length + 1)

const damage: fc.Arbitrary<Damage> = weighted<Damage>(
  [12, fc.constant((_, bytes) => bytes)],
  [
    2,
    fc.tuple(fc.constantFrom(...BROKEN), place).map(
      ([extra, where]): Damage =>
        (_, bytes) =>
          insert(bytes, extra, at(bytes, where)),
    ),
  ],
  [
    1,
    place.map(
      (where): Damage =>
        (_, bytes) =>
          bytes.slice(0, at(bytes, where)),
    ),
  ],
  [
    1,
    fc.array(fc.tuple(place, fc.nat(255)), { minLength: 1, maxLength: 4 }).map(
      (flips): Damage =>
        (_, bytes) => {
          const copy = bytes.slice()
          for (const [where, byte] of flips) if (copy.length > 0) copy[where % copy.length] = byte
          return copy
        },
    ),
  ],
  [
    1,
    fc.tuple(fc.nat(19), place).map(
      ([length, where]): Damage =>
        (_, bytes) =>
          insert(bytes, bytes.slice(0, length), at(bytes, where)),
    ),
  ],
  [1, fc.constant(text => Buffer.from(text, 'utf16le'))],
)

/** A text as bytes, intact or damaged. */
export const encoded = (text: fc.Arbitrary<string>): fc.Arbitrary<Uint8Array> =>
  fc.tuple(text, damage).map(([content, harm]) => harm(content, new TextEncoder().encode(content)))
