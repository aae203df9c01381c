import type { RecordedExchange } from './connect.ts'

/** The same request for a shell. The key stays out of it: it is taken from a variable. */
export function curlOf({ method, url, requestHeaders, body }: RecordedExchange): string {
  const parts = [
    method === 'GET' ? `curl ${quoted(url)}` : `curl -X ${method} ${quoted(url)}`,
    '-H "Authorization: Bearer $PETSTORE_API_KEY"',
    ...requestHeaders
      .filter(([name]) => name !== 'accept')
      .map(([name, value]) => `-H ${quoted(`${titled(name)}: ${value}`)}`),
    ...(body === undefined ? [] : [`--data-raw ${quoted(body)}`]),
  ]
  return parts.join(' \\\n  ')
}

/** Within single quotes a shell changes nothing; a single quote itself has to stand outside of them. */
const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`

/** Browsers give names in small letters; people know them otherwise. */
export const titled = (header: string): string =>
  header.replaceAll(/\b[a-z]/g, letter => letter.toUpperCase()).replace(/^Etag$/, 'ETag')
