/** The same request for a shell, which reads the API key from a variable. */
export function curlOf(url: string, { headers, body }: RequestInit): string {
  const shown = [...new Headers(headers)].filter(([name]) => name !== 'authorization' && name !== 'accept')
  const parts = [
    `curl -i ${quoted(url)}`,
    '-H "Authorization: Bearer $PETSTORE_API_KEY"',
    ...shown.map(([name, value]) => `-H ${quoted(`${titled(name)}: ${value}`)}`),
    ...(typeof body === 'string' ? [`-d ${quoted(body)}`] : []),
  ]
  return parts.join(' \\\n  ')
}

/** Within single quotes a shell changes nothing, but a single quote itself has to be outside them. */
const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`

/** Browsers return names in lower case, but people know them in another form. */
export const titled = (header: string): string =>
  header.replaceAll(/\b[a-z]/g, letter => letter.toUpperCase()).replace(/^Etag$/, 'ETag')
