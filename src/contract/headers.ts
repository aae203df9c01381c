import { deprecationDates, GET_PET_DEPRECATION } from './deprecation.ts'
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

/** The headers of responses. Those that any response may carry say so, and are listed with the successful one only. */
export const HEADERS = {
  'X-Request-Id': always(
    "On every response: identifies the request in the service's log.",
    '6a9bb073-a2d6-1',
  ),
  RateLimit: sometimes(
    "What remains of the operator's rate limit, on every response to a valid API key.",
    '"default";r=99;t=60',
  ),
  'RateLimit-Policy': sometimes('The rate limit, beside `RateLimit`.', '"default";q=100;w=60'),
  ETag: always('Strong validator of this response; send it back as `If-None-Match`.', '"2ud7r1ykqxw8v"'),
  Link: sometimes(
    'RFC 8288: `rel="next"` leads to the next page. The last page has none.',
    `<${PETS}?limit=20&cursor=AAAAAAAAABT>; rel="next"`,
  ),
  Location: always('URL of the added animal.', `${PETS}/1`),
  'Idempotent-Replayed': sometimes('`true` if this is the replayed response to an earlier request.', true, {
    type: 'boolean',
  }),
  Deprecation: sometimes(
    'RFC 9745, on every response of a deprecated operation: since when, in Unix seconds.',
    DATES.Deprecation,
  ),
  Sunset: sometimes('RFC 8594, beside `Deprecation`: the date of the announced removal.', DATES.Sunset),
  'Retry-After': always('Seconds to wait before the next attempt.', 1, { type: 'integer', minimum: 0 }),
  'WWW-Authenticate': always('How to authenticate (RFC 6750).', 'Bearer realm="petstore"'),
  'Accept-Encoding': sometimes('`identity`, if the body was compressed.', 'identity'),
}

/** The Link header of a deprecated operation. Mocks send its example, so it must not lead to a next page. */
export const DEPRECATION_LINK = sometimes(
  'RFC 8288: `rel="deprecation"`, beside `Deprecation`, leads to the documentation.',
  '</docs#deprecation>; rel="deprecation"; type="text/html"',
)

/** Allow belongs to a path, not to an operation. */
export type HeaderName = keyof typeof HEADERS | 'Allow'

/** Response headers that a page of another origin may read, if the operator allows that origin. No page can compress a body. */
export const EXPOSED_HEADERS: readonly string[] = Object.keys(HEADERS).filter(
  name => name !== 'Accept-Encoding',
)
