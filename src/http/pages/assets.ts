import { type Encoded, encoded } from '../response/encoded.ts'
import { ASSET_HEADERS } from './headers.ts'

const TYPES = {
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  svg: 'image/svg+xml',
} as const

/** A file of a page. Its name holds its hash, so that it may be kept for ever. */
export interface Asset extends Encoded {
  readonly name: string
}

/** By its page and the hash of its text, unless others know it by a name already. */
export function asset(page: string, extension: keyof typeof TYPES, text: string, name?: string): Asset {
  const hash = Bun.hash(text).toString(36)
  return {
    name: name ?? `${page}-${hash}.${extension}`,
    ...encoded(text, { ...ASSET_HEADERS, 'Content-Type': TYPES[extension] }),
  }
}
