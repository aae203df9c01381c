import type { Deprecation } from './deprecation.ts'
import { INT64_MAX, INT64_MIN } from './int64.ts'
import { IDEMPOTENCY_HOURS, MAX_REQUEST_ID_LENGTH } from './limits.ts'
import { dayOf, OPERATIONS } from './operations.ts'

/** Sections that apply to more than one operation, by heading. Their only markup is `code`. */
export function guideSections() {
  const { method, path, deprecated } = OPERATIONS.getPet
  return {
    Authentication: `Every operation needs an API key: \`Authorization: Bearer <API_KEY>\`. A \`pets_live_…\` key is valid in production, a \`pets_test_…\`
key in staging. Without a valid key every valid request, to any path below \`/v1\`, returns 401.`,

    Pages: `A list is a bare array in ascending order of \`id\`. Follow the \`Link\` header with \`rel="next"\` unchanged until a response has
none. No animal is repeated or skipped while others are being added.`,

    'Exact numbers': `\`id\` and \`categoryId\` are int64, from ${INT64_MIN} to ${INT64_MAX}, and exact to the last digit. Many JSON parsers, including
JavaScript's, round integers above 2^53. Read bodies with one that does not.`,

    'Safe retries': `A create request with an \`Idempotency-Key\` can be retried for ${IDEMPOTENCY_HOURS} hours and adds one animal. A retry gets the first
response, with \`Idempotent-Replayed: true\`. Rejected requests are not remembered.`,

    Errors: `Every error has the same body. Use its \`code\` in programs; later releases may add codes, so handle an unknown one by its status.
When you report one, quote the response's \`X-Request-Id\`. If you send your own (1 to ${MAX_REQUEST_ID_LENGTH} letters, digits, \`-\`, \`_\` or
\`.\`), the service keeps it.`,

    'Rate limits': `There are none unless the operator sets one per API key. Responses then carry \`RateLimit\` and \`RateLimit-Policy\`, and the
\`Retry-After\` of a 429 says when to continue.`,

    Deprecation: `\`${method} ${path}\` (\`getPet\`) has been deprecated since ${dayOf(deprecated.since)}. Its ${announcementOf(deprecated)}.
${deprecated.difference} Until a release removes it, it works as before. Every response, including errors, carries
\`Deprecation\` (RFC 9745), \`Sunset\` (RFC 8594) and a \`Link\` to the documentation.`,
  }
}

/** In the words of the interface. */
export const announcementOf = ({ sunset, replacement }: Deprecation): string =>
  `removal is announced for ${dayOf(sunset)}. The replacement is ${replacement}`

/** Sections of the OpenAPI document, in Markdown. What the others say, it says where it applies: at an operation or a header. */
export function guide(): string {
  const { Authentication, 'Exact numbers': numbers, Errors } = guideSections()
  const sections = Object.entries({ Authentication, 'Exact numbers': numbers, Errors })
  const intro = "Stores a pet store's animals. List them, add one, or get one by its identifier."
  return [intro, ...sections.map(([title, text]) => `## ${title}\n\n${text}`)].join('\n\n')
}
