import { INT64_MAX, INT64_MIN } from './int64.ts'
import { IDEMPOTENCY_HOURS } from './limits.ts'
import { dayOf, OPERATIONS } from './operations.ts'

/** Sections that apply to more than one operation, by heading. `code` and **bold** are their only markup. */
export function guideSections(): Readonly<Record<string, string>> {
  const { method, path, deprecated } = OPERATIONS.getPet
  return {
    Authentication: `Every operation needs an API key: \`Authorization: Bearer <API_KEY>\`. A key is valid in one environment: \`pets_live_…\` in
production, \`pets_test_…\` in staging. Without a valid key every valid request, to any path, returns 401.`,

    Pages: `The body of a list is a bare array in ascending order of \`id\`. If there are more animals, the \`Link\` header points to
the next page with \`rel="next"\`. Follow it unchanged until a response has none. No animal is repeated or skipped while others
are being added.`,

    'Exact numbers': `\`id\` and \`categoryId\` are int64, from ${INT64_MIN} to ${INT64_MAX}, and exact to the last digit. Many JSON parsers, including
JavaScript's, round integers above 2^53. Read bodies with a parser that does not.`,

    'Safe retries': `A create request with an \`Idempotency-Key\` can be retried for ${IDEMPOTENCY_HOURS} hours and adds one animal. A retry gets the first
response, with \`Idempotent-Replayed: true\`. Rejected requests are not remembered.`,

    Errors: `Every error has the same body: a stable \`code\`, a human-readable \`message\` and the HTTP \`status\`. Use \`code\` in programs. Later
releases may add codes; handle an unknown code by its status. Every response carries an \`X-Request-Id\`, which identifies the
request in the service's log. If you send a valid one, it is kept.`,

    'Rate limits': `There are none unless the operator sets one per API key. Responses then carry \`RateLimit\` and \`RateLimit-Policy\`, and the
\`Retry-After\` of a 429 says when to continue.`,

    Deprecation: `\`${method} ${path}\` (\`getPet\`) has been deprecated since ${dayOf(deprecated.since)} and is **scheduled for removal on
${dayOf(deprecated.sunset)}**. Use ${deprecated.replacement} instead. Until a release removes it, it works as before. Every
response, including errors, carries \`Deprecation\` (RFC 9745), \`Sunset\` (RFC 8594) and a \`Link\` to the documentation.`,
  }
}

/** The guide in Markdown. */
export const guide = (): string =>
  `Stores a pet store's animals. List them, add one, or get one by its identifier.\n${Object.entries(
    guideSections(),
  )
    .map(([title, text]) => `\n## ${title}\n\n${text}\n`)
    .join('')}`
