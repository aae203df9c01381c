/** The response headers of the interface and what each tells the caller. */
export const HEADERS = {
  'X-Request-Id':
    'Names this exchange in the log. One sent by the client is kept if it is sane and holds no API key.',
  ETag: 'Strong validator of this answer; send it back as `If-None-Match`.',
  'Cache-Control': 'Always `private, no-cache`: keep it, but ask before using it again.',
  Link: 'RFC 8288 links: `rel="next"` names the next page, `rel="deprecation"` the documentation of a deprecation.',
  Location: 'Names the animal that was added.',
  'Idempotent-Replayed': '`true` when this is the remembered answer to an earlier request.',
  Deprecation: 'RFC 9745: since when the operation is deprecated.',
  Sunset: 'RFC 8594: when the operation is to be removed.',
  Allow: 'The methods served at this path.',
  'Retry-After': 'Seconds to wait before the next try.',
  'WWW-Authenticate': 'How to authenticate (RFC 6750).',
  'RateLimit-Policy': 'Where the operator limits requests by key: how many (`q`) in how many seconds (`w`).',
  RateLimit:
    'Where requests are limited: how many are left (`r`), and in how many seconds there are more (`t`).',
} as const

export type HeaderName = keyof typeof HEADERS

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
] as const satisfies readonly HeaderName[]
