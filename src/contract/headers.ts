import { IDEMPOTENCY_HOURS, MAX_IDEMPOTENCY_KEY_LENGTH, MAX_REQUEST_ID_LENGTH } from './limits.ts'

/** As OpenAPI describes a header. */
interface Header {
  readonly description: string
  readonly required?: true
  readonly schema: { readonly type: 'string' | 'integer' | 'boolean'; readonly [keyword: string]: unknown }
  readonly example: string | number | boolean
}

/** May be cached, but must be revalidated. */
export const REVALIDATE = 'private, no-cache'

const TEXT = { type: 'string' } as const

/** The headers of an operation's responses and what each one means. */
export const HEADERS = {
  'X-Request-Id': {
    description:
      'Identifies this request in the log. A valid one sent by the client is kept, unless it contains an API key.',
    required: true,
    schema: { type: 'string', minLength: 1, maxLength: MAX_REQUEST_ID_LENGTH, pattern: '^[A-Za-z0-9_.-]+$' },
    example: '4f1c2a90-7b3e-1a',
  },
  ETag: {
    description: 'Strong validator of this response; send it back as `If-None-Match`.',
    required: true,
    schema: { type: 'string', pattern: '^["][^"]+["]$' },
    example: '"2ud7r1ykqxw8v"',
  },
  'Cache-Control': {
    description: `Always \`${REVALIDATE}\`: it may be cached, but must be revalidated.`,
    required: true,
    schema: { type: 'string', enum: [REVALIDATE] },
    example: REVALIDATE,
  },
  Link: {
    description: 'RFC 8288: `rel="next"` names the next page. The last page has none.',
    schema: TEXT,
    example: '</v1/pets?limit=20&cursor=AAAAAAAAABT_2Jm0cW5yVb3k1Zx8>; rel="next"',
  },
  Location: {
    description: 'Address of the animal that was added.',
    required: true,
    schema: { type: 'string', format: 'uri-reference' },
    example: '/v1/pets/1',
  },
  'Idempotent-Replayed': {
    description: '`true` if this is the replayed response to an earlier request; absent otherwise.',
    schema: { type: 'boolean', enum: [true] },
    example: true,
  },
  Deprecation: {
    description: 'RFC 9745: since when the operation is deprecated, in seconds since 1970.',
    required: true,
    schema: { type: 'string', pattern: '^@[0-9]+$' },
    example: '@1794614400',
  },
  Sunset: {
    description: 'RFC 8594: when the operation will be removed.',
    required: true,
    schema: TEXT,
    example: 'Thu, 05 Dec 2030 00:00:00 GMT',
  },
  'Retry-After': {
    description: 'Seconds to wait before the next attempt.',
    required: true,
    schema: { type: 'integer', minimum: 0 },
    example: 1,
  },
  'WWW-Authenticate': {
    description: 'How to authenticate (RFC 6750).',
    required: true,
    schema: TEXT,
    example: 'Bearer realm="petstore"',
  },
} as const satisfies Record<string, Header>

/** A 405 belongs to a path, not to an operation, and any response may tell of a rate limit where there is one. */
export type HeaderName = keyof typeof HEADERS | 'Allow' | 'RateLimit' | 'RateLimit-Policy'

/** The request headers of the interface besides Authorization. */
export const REQUEST_HEADERS = {
  'Idempotency-Key': {
    description: `Makes a repeat safe: the same key within ${IDEMPOTENCY_HOURS} hours adds the animal once.`,
    schema: { type: 'string', minLength: 1, maxLength: MAX_IDEMPOTENCY_KEY_LENGTH },
    example: '7d0c1f1e-5a0e-4a7c-9f0b-3d8f2f6f9a51',
  },
  'If-None-Match': {
    description: 'An `ETag` of an earlier response; 304 if it still matches.',
    schema: TEXT,
    example: '"2ud7r1ykqxw8v"',
  },
} as const satisfies Record<string, Header>

/** What a page of another origin may read of an answer, where the operator allows that origin. */
export const EXPOSED_HEADERS = [
  'Link',
  'Deprecation',
  'Sunset',
  'ETag',
  'Location',
  'X-Request-Id',
  'Retry-After',
  'RateLimit',
  'RateLimit-Policy',
  'WWW-Authenticate',
  'Idempotent-Replayed',
] as const satisfies readonly HeaderName[]
