/** A target and its parameters. A quote without an end reaches to the end of the text, so that no text is read twice. */
const LINK = /<([^<>]*)>((?:"[^"\\]*(?:\\.?[^"\\]*)*"?|[^",]+)*)/g
const PARAMETER = /;\s*([^\s=;"]+)\s*=\s*("[^"\\]*(?:\\.?[^"\\]*)*"?|[^\s;]*)/g

/**
 * The cursor in the link to the next page, by RFC 8288; empty where that link has none. Nothing else is taken from it: an
 * address in a header does not decide where the key is sent.
 */
export function nextCursorOf(header: string | null): string | undefined {
  for (const [, target = '', parameters = ''] of (header ?? '').matchAll(LINK))
    if (relationsOf(parameters).includes('next'))
      return new URLSearchParams(target.replace(/^[^?]*|#.*/g, '')).get('cursor') ?? ''
  return undefined
}

/** Of several `rel` the first counts; it may name several relations, in any case. */
function relationsOf(parameters: string): string[] {
  for (const [, name = '', value = ''] of parameters.matchAll(PARAMETER))
    if (name.toLowerCase() === 'rel') return value.replace(/["\\]/g, '').toLowerCase().split(/\s+/)
  return []
}
