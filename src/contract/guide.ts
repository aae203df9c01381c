import { dayOf, replacementOf } from './deprecations.ts'
import { ERROR_CODES } from './errors.ts'
import { explain } from './explain.ts'
import { INT64_MAX, INT64_MIN } from './int64.ts'
import { IDEMPOTENCY_HOURS } from './limits.ts'
import { OPERATIONS } from './operations.ts'

/** The headings of the guide. A reader of the reference is sent to one by its name. */
export const GUIDE = {
  authentication: 'Authentication',
  pages: 'Pages',
  exactNumbers: 'Exact numbers',
  safeRepeats: 'Safe repeats',
  errors: 'Errors',
  deprecation: 'Deprecation',
} as const

/** What applies to more than one operation, by section; `code` and **bold** are the only markup in it. */
export function sectionsOfGuide(): Record<keyof typeof GUIDE, string> {
  const { method, path, deprecated } = OPERATIONS.getPet
  return {
    authentication: `Every operation needs an API key: \`Authorization: Bearer <API_KEY>\`. A key is valid in one environment: \`pets_live_…\` is for
production, \`pets_test_…\` for staging. Without a valid key every path below the version prefix returns 401 and nothing else.

The samples take the key from the variable \`PETSTORE_API_KEY\`.`,

    pages: `The body of a list is a bare array in ascending order of \`id\`. When more animals follow, the \`Link\` header names the next
page with \`rel="next"\`. Follow it unchanged until a response has none. No animal is repeated or skipped while others are
being added.`,

    exactNumbers: `\`id\` and \`categoryId\` are int64, from ${INT64_MIN} to ${INT64_MAX}, and exact to the last digit. Many JSON parsers, including
JavaScript's, round integers above 2^53: read bodies with one that does not.`,

    safeRepeats: `A create with an \`Idempotency-Key\` can be repeated for ${IDEMPOTENCY_HOURS} hours and adds one animal: a repeat gets the first response,
with \`Idempotent-Replayed: true\`. A rejected request is not remembered.`,

    errors: `Every error has the same body: a stable \`code\`, a human-readable \`message\` and the HTTP \`status\`. Later releases may add codes:
handle an unknown one by its status. \`petstore explain CODE\` explains a code.`,

    deprecation: `\`${method} ${path}\` (\`getPet\`) is deprecated since ${dayOf(deprecated.since)} and **scheduled for removal on
${dayOf(deprecated.sunset)}**. Use ${replacementOf(deprecated)} instead.

Until then it works as before. It does not end automatically: a release will remove it. Every response, including errors, carries \`Deprecation\` (RFC 9745),
\`Sunset\` (RFC 8594) and a \`Link\` to this section.`,
  }
}

/** The description of the whole API, in Markdown. */
export function guide(): string {
  const sections = Object.entries(sectionsOfGuide()).map(
    ([name, text]) =>
      `\n# ${GUIDE[name as keyof typeof GUIDE]}\n\n${text}\n${name === 'errors' ? errorTable() : ''}`,
  )
  return `Keeps a store's animals and exposes them over HTTP with JSON bodies.\n${sections.join('')}`
}

function errorTable(): string {
  const rows = ERROR_CODES.map(explain).map(
    ({ status, code, meaning, remedy }) =>
      `| ${status} | \`${code}\` | ${meaning} | ${remedy.replaceAll('<', '&lt;')} |\n`,
  )
  return `\n| Status | Code | Meaning | What to do |\n|---|---|---|---|\n${rows.join('')}`
}
