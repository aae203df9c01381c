/** What a form sends. */
export interface Sent {
  readonly url: string
  readonly method: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
}

/** The same request for a shell, which reads the API key from a variable. */
export function curlOf({ url, headers: { Authorization, Accept, ...shown }, body }: Sent): string {
  const parts = [
    `curl -i ${quoted(url)}`,
    '-H "Authorization: Bearer $PETSTORE_API_KEY"',
    ...Object.entries(shown).map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`),
    ...(body === undefined ? [] : [`-d ${quoted(body)}`]),
  ]
  return parts.join(' \\\n  ')
}

/** Within single quotes a shell changes nothing, but a single quote itself has to be outside them. */
const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`
