import { INT64_MAX, INT64_MIN } from './int64.ts'
import { IDEMPOTENCY_HOURS } from './limits.ts'
import { dayOf, OPERATIONS } from './operations.ts'

/** What applies to more than one operation, by heading; `code` and **bold** are the only markup in it. */
export function guideSections(): Readonly<Record<string, string>> {
  const { method, path, deprecated } = OPERATIONS.getPet
  return {
    Authentication: `Every operation needs an API key: \`Authorization: Bearer <API_KEY>\`. A key is valid in one environment: \`pets_live_…\` in
production, \`pets_test_…\` in staging. Without a valid key every path returns 401 and nothing else.`,

    Pages: `The body of a list is a bare array in ascending order of \`id\`. When more animals follow, the \`Link\` header names the next
page with \`rel="next"\`. Follow it unchanged until a response has none. No animal is repeated or skipped while others are
being added.`,

    'Exact numbers': `\`id\` and \`categoryId\` are int64, from ${INT64_MIN} to ${INT64_MAX}, and exact to the last digit. Many JSON parsers, including
JavaScript's, round integers above 2^53: read bodies with one that does not.`,

    'Safe repeats': `A create with an \`Idempotency-Key\` can be repeated for ${IDEMPOTENCY_HOURS} hours and adds one animal: a repeat gets the first response,
with \`Idempotent-Replayed: true\`. A rejected request is not remembered.`,

    Errors: `Every error has the same body: a stable \`code\`, a human-readable \`message\` and the HTTP \`status\`. Use \`code\` in programs. Later
releases may add codes: handle an unknown one by its status. Every response carries an \`X-Request-Id\`, under which the log of the
service has the details; a valid one that you send is kept.`,

    'Rate limits': `There are none unless the operator sets one per API key; then responses carry \`RateLimit\` and \`RateLimit-Policy\`, and a 429 says in
\`Retry-After\` when to continue.`,

    Deprecation: `\`${method} ${path}\` (\`getPet\`) is deprecated since ${dayOf(deprecated.since)} and **scheduled for removal on
${dayOf(deprecated.sunset)}**. Use ${deprecated.replacement} instead. Until a release removes it, it works as before. Every
response, including errors, carries \`Deprecation\` (RFC 9745), \`Sunset\` (RFC 8594) and a \`Link\` to the documentation.`,
  }
}

/** The description of the whole API, in Markdown. */
export const guide = (): string =>
  `Keeps a store's animals: list them, add one, get one.\n${Object.entries(guideSections())
    .map(([title, text]) => `\n## ${title}\n\n${text}\n`)
    .join('')}`
