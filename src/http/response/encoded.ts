import { constants, gzipSync } from 'node:zlib'
import { type Answer, keptAnswer } from '../answer.ts'
import { conditionalAnswer, type Representation } from './conditional.ts'
import type { HeaderValues } from './kept-headers.ts'

const ACCEPTS_GZIP = /(?:^|,)\s*(?:gzip|\*)\s*(?:;\s*q=(?!0(?:\.0*)?\s*(?:,|$))[\d.]+\s*)?(?:,|$)/i

/** A text that is sent plain or compressed, as the client accepts. Each form has its own tag. */
export interface Encoded {
  readonly plain: Representation
  readonly compressed: Representation
}

export function encoded(text: string, headers: HeaderValues): Encoded {
  const bytes = new TextEncoder().encode(text)
  const hash = Bun.hash(bytes).toString(36)
  const all = { ...headers, Vary: 'Accept-Encoding' }
  const zipped = gzipSync(bytes, { level: constants.Z_BEST_COMPRESSION })
  return {
    plain: withTag(`"${hash}"`, bytes, all),
    compressed: withTag(`"${hash}-gzip"`, zipped, { ...all, 'Content-Encoding': 'gzip' }),
  }
}

export const encodedAnswer = (request: Request, known: Encoded): Answer =>
  conditionalAnswer(
    request,
    ACCEPTS_GZIP.test(request.headers.get('accept-encoding') ?? '') ? known.compressed : known.plain,
  )

/** A 304 has no headers about the body it does not carry. */
function withTag(etag: string, body: Uint8Array, headers: HeaderValues): Representation {
  const lasting = Object.entries(headers).filter(([name]) => !/^Content-(?:Type|Encoding)$/.test(name))
  return {
    full: keptAnswer(200, { ...headers, ETag: etag }, body),
    validators: { ...Object.fromEntries(lasting), ETag: etag },
  }
}
