import { promisify } from 'node:util'
import { constants, gzip } from 'node:zlib'
import type { Answer } from '../answer.ts'
import { conditionalAnswer, type Representation } from '../response/conditional.ts'
import { KeptHeaders } from '../response/kept-headers.ts'
import { ASSET_HEADERS } from './headers.ts'

const compress = promisify(gzip)
const ACCEPTS_GZIP = /(?:^|,)\s*(?:gzip|\*)\s*(?:;\s*q=(?!0(?:\.0*)?\s*(?:,|$))[\d.]+\s*)?(?:,|$)/i

const TYPES = {
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  svg: 'image/svg+xml',
} as const

/** A file of a page. Its name holds its hash, so that it may be kept for ever. */
export interface Asset {
  readonly name: string
  readonly plain: Representation
  readonly compressed: Representation
}

export async function asset(page: string, extension: keyof typeof TYPES, text: string): Promise<Asset> {
  const bytes = new TextEncoder().encode(text)
  const hash = Bun.hash(bytes).toString(36)
  const headers = { ...ASSET_HEADERS, 'Content-Type': TYPES[extension], Vary: 'Accept-Encoding' }
  const zipped = await compress(bytes, { level: constants.Z_BEST_COMPRESSION })
  return {
    name: `${page}-${hash}.${extension}`,
    plain: fileRepresentation(`"${hash}"`, bytes, headers),
    compressed: fileRepresentation(`"${hash}-gzip"`, zipped, { ...headers, 'Content-Encoding': 'gzip' }),
  }
}

export const assetAnswer = (request: Request, { plain, compressed }: Asset): Answer =>
  conditionalAnswer(
    request,
    ACCEPTS_GZIP.test(request.headers.get('accept-encoding') ?? '') ? compressed : plain,
  )

/** A file with its headers; the 304 that stands for it says nothing of what it does not carry. */
export function fileRepresentation(
  etag: string,
  body: Uint8Array,
  headers: Readonly<Record<string, string>>,
): Representation {
  const all = { ...headers, ETag: etag }
  const lasting = Object.entries(headers).filter(([name]) => !/^Content-(?:Type|Encoding)$/.test(name))
  return {
    full: { status: 200, headers: new KeptHeaders(all), body },
    validators: { ...Object.fromEntries(lasting), ETag: etag },
  }
}
