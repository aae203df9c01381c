/** A target and its parameters. An unterminated quote extends to the end, so that no text is scanned twice. */
const LINK = /<([^<>]*)>((?:"[^"\\]*(?:\\.?[^"\\]*)*"?|[^",]+)*)/g
const PARAMETER = /;\s*([^\s=;"]+)\s*=\s*("[^"\\]*(?:\\.?[^"\\]*)*"?|[^\s;]*)/g

/**
 * The cursor in the link to the next page (RFC 8288); empty if that link has none. The rest of the link is ignored: a header
 * must not decide where the key is sent.
 */
export function nextCursorOf(header: string | null): string | undefined {
  for (const [, target = '', parameters = ''] of (header ?? '').matchAll(LINK))
    if (relationsOf(parameters).includes('next'))
      return new URLSearchParams(target.replace(/^[^?]*|#.*/g, '')).get('cursor') ?? ''
  return undefined
}

/** The first `rel` counts. It may name several relations, in any case. */
function relationsOf(parameters: string): string[] {
  for (const [, name = '', value = ''] of parameters.matchAll(PARAMETER))
    if (name.toLowerCase() === 'rel') return value.replace(/["\\]/g, '').toLowerCase().split(/\s+/)
  return []
}
