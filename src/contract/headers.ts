import { deprecationDates, GET_PET_DEPRECATION } from './deprecation.ts'
import { IDEMPOTENCY_HOURS, MAX_IDEMPOTENCY_KEY_LENGTH } from './limits.ts'
import { PETS_PATH, VERSION_PREFIX } from './servers.ts'

/** May be cached, but must be revalidated. */
export const REVALIDATE = 'private, no-cache'

type Schema = Readonly<Record<string, unknown>>

const sometimes = (description: string, example: unknown, schema: Schema = { type: 'string' }) => ({
  description,
  schema,
  example,
})

const always = (description: string, example: unknown, schema?: Schema) => ({
  ...sometimes(description, example, schema),
  required: true,
})

const PETS = VERSION_PREFIX + PETS_PATH
const DATES = deprecationDates(GET_PET_DEPRECATION)
const ETAG = '"2ud7r1ykqxw8v"'

/** The headers of an operation's responses and what each one means. */
export const HEADERS = {
  ETag: always(
    `Strong validator of this response; send it back as \`If-None-Match\`. \`Cache-Control\` is always \`${REVALIDATE}\`.`,
    ETAG,
    { type: 'string', pattern: '^["][^"]+["]$' },
  ),
  Link: sometimes(
    'RFC 8288: `rel="next"` points to the next page. The last page has none.',
    `<${PETS}?limit=20&cursor=AAAAAAAAABT_2Jm0cW5yVb3k1Zx8>; rel="next"`,
  ),
  Location: always('URL of the added animal.', `${PETS}/1`, { type: 'string', format: 'uri-reference' }),
  'Idempotent-Replayed': sometimes(
    '`true` if this is the replayed response to an earlier request; absent otherwise.',
    true,
    { type: 'boolean' },
  ),
  Deprecation: always('RFC 9745: when the operation was deprecated, in Unix seconds.', DATES.Deprecation, {
    type: 'string',
    pattern: '^@[0-9]+$',
  }),
  Sunset: always('RFC 8594: when the operation is scheduled for removal.', DATES.Sunset),
  'Retry-After': always('Seconds to wait before the next attempt.', 1, { type: 'integer', minimum: 0 }),
  'WWW-Authenticate': always('How to authenticate (RFC 6750).', 'Bearer realm="petstore"'),
}

/** A deprecated operation always has a Link header, which does not point to a next page. */
export const DEPRECATION_LINK = always(
  'RFC 8288: `rel="deprecation"` points to the documentation of the deprecation.',
  '</docs#deprecation>; rel="deprecation"; type="text/html"',
)

/** Every response has the first one, and the others if there is a rate limit. Only the guide mentions them. */
const COMMON_HEADERS = ['X-Request-Id', 'RateLimit', 'RateLimit-Policy'] as const

/** Allow belongs to a path, not to an operation. */
export type HeaderName = keyof typeof HEADERS | (typeof COMMON_HEADERS)[number] | 'Allow'

/** The request headers of the API other than Authorization. */
export const REQUEST_HEADERS = {
  'Idempotency-Key': sometimes(
    `Makes a retry safe: requests with the same key within ${IDEMPOTENCY_HOURS} hours add the animal only once.`,
    '7d0c1f1e-5a0e-4a7c-9f0b-3d8f2f6f9a51',
    { type: 'string', minLength: 1, maxLength: MAX_IDEMPOTENCY_KEY_LENGTH },
  ),
  'If-None-Match': sometimes('An `ETag` of an earlier response; 304 if it still matches.', ETAG),
}

/** Response headers that a page of another origin may read, if the operator allows that origin. */
export const EXPOSED_HEADERS: readonly string[] = [...COMMON_HEADERS, ...Object.keys(HEADERS)]
