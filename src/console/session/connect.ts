import { Petstore, PetstoreError, UnexpectedAnswerError } from '../../../client/src/index.ts'
import { baseUrl } from '../page.ts'

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

/** By default without retries, because a person sees what happened and decides; the page says when it retries by itself. */
export const connect = (
  apiKey: string,
  record: OnRecorded = () => undefined,
  maxRetries = 0,
): Petstore['pets'] =>
  new Petstore({
    apiKey,
    baseUrl: baseUrl(),
    fetch: recordingFetch(record),
    maxRetries,
    attemptTimeoutMs: 15_000,
    // The page shows its own messages.
    onDeprecated: () => {},
  }).pets

/** Any thrown value as one of the client's errors. */
export const failureOf = (error: unknown): PetstoreError =>
  error instanceof PetstoreError
    ? error
    : new UnexpectedAnswerError('unexpected_answer', error instanceof Error ? error.message : String(error))

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
