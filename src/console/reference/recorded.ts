/** One request and its response, for developers. It does not contain the API key. */
export interface RecordedRequest {
  readonly method: string
  readonly url: string
  readonly requestHeaders: readonly (readonly [string, string])[]
  readonly body: string | undefined
  /** Undefined until there is a response. */
  readonly response: RecordedResponse | undefined
}

export interface RecordedResponse {
  readonly status: number
  readonly headers: readonly (readonly [string, string])[]
  readonly durationMs: number
}

type OnRecorded = (exchange: RecordedRequest) => void

/** The browser's fetch, which also reports the request and the response. */
export const recordingFetch =
  (record: OnRecorded) =>
  async (url: string, init: RequestInit): Promise<Response> => {
    const request = {
      method: init.method ?? 'GET',
      url,
      requestHeaders: [...new Headers(init.headers)].filter(([name]) => name !== 'authorization'),
      body: typeof init.body === 'string' ? init.body : undefined,
    }
    record({ ...request, response: undefined })
    const started = performance.now()
    const response = await fetch(url, init)
    const { status, headers } = response
    const durationMs = performance.now() - started
    record({ ...request, response: { status, headers: [...headers], durationMs } })
    return response
  }

/** The same request for a shell, which reads the key from a variable. */
export function curlOf({ url, requestHeaders, body }: RecordedRequest): string {
  const parts = [
    `curl -i ${quoted(url)}`,
    '-H "Authorization: Bearer $PETSTORE_API_KEY"',
    ...requestHeaders
      .filter(([name]) => name !== 'accept')
      .map(([name, value]) => `-H ${quoted(`${titled(name)}: ${value}`)}`),
    ...(body === undefined ? [] : [`-d ${quoted(body)}`]),
  ]
  return parts.join(' \\\n  ')
}

/** Within single quotes a shell changes nothing, but a single quote itself has to be outside them. */
const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`

/** Browsers return names in lower case, but people know them in another form. */
export const titled = (header: string): string =>
  header.replaceAll(/\b[a-z]/g, letter => letter.toUpperCase()).replace(/^Etag$/, 'ETag')
