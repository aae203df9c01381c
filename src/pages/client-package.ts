import { basename } from 'node:path'
import { constants, gzipSync } from 'node:zlib'
import { fileOf, type Representation } from '../http/representation.ts'
import { bundleClient } from './bundle.ts'

const BLOCK = 512

/** This release's client, for `npm install <url>`. */
export async function clientPackage(): Promise<Representation> {
  // The files of one name resemble each other, and next to each other they take a third less space.
  const place = (path: string) => basename(path) + path
  const files = Object.entries(await bundleClient()).toSorted(([a], [b]) => (place(a) < place(b) ? -1 : 1))
  const entries = files.map(([path, text]) => tarEntry(`package/${path}`, text))
  const bytes = gzipSync(Buffer.concat([...entries, Buffer.alloc(2 * BLOCK)]), {
    level: constants.Z_BEST_COMPRESSION,
  })
  return fileOf(bytes, { 'Content-Type': 'application/gzip', 'Cache-Control': 'no-cache' })
}

/** A file in the ustar format. It has no date, because npm remembers a package's hash, which must survive a restart. */
function tarEntry(path: string, text: string): Buffer {
  const body = Buffer.from(text)
  const head = Buffer.alloc(BLOCK)
  const octal = (value: number, digits: number): string => value.toString(8).padStart(digits, '0')
  head.write(path, 0)
  head.write(`${octal(0o644, 7)}\0${octal(0, 7)}\0${octal(0, 7)}\0`, 100)
  head.write(`${octal(body.length, 11)}\0${octal(0, 11)}\0${' '.repeat(8)}0`, 124)
  head.write('ustar\x0000', 257)
  // The header's checksum, computed with spaces in its own field.
  const sum = head.reduce((total, byte) => total + byte, 0)
  head.write(`${octal(sum, 6)}\0`, 148)
  return Buffer.concat([head, body, Buffer.alloc(-body.length & (BLOCK - 1))])
}
