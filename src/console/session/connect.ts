import { Petstore, PetstoreError, UnexpectedAnswerError } from '../../../client/src/index.ts'
import { baseUrl } from '../page.ts'

/** One request and its response, as developers want to see it. The API key is no part of it. */
export interface RecordedRequest {
  readonly method: string
  readonly url: string
  readonly requestHeaders: readonly (readonly [string, string])[]
  readonly body: string | undefined
  /** Undefined while there is none. */
  readonly response: RecordedResponse | undefined
}

export interface RecordedResponse {
  readonly status: number
  readonly headers: readonly (readonly [string, string])[]
  readonly durationMs: number
}

export type OnRecorded = (exchange: RecordedRequest) => void

/** The browser's fetch, which tells what it sent and what came back. */
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

/** A person is there to see what happened and to decide; the page itself says when it tries again. */
const TIMEOUTS = { maxRetries: 0, attemptTimeoutMs: 15_000 }
/** Long work continues automatically after temporary failures. */
export const PATIENT = { maxRetries: 5, attemptTimeoutMs: 15_000 }

export const connect = (
  apiKey: string,
  record: OnRecorded = () => undefined,
  timeouts = TIMEOUTS,
): Petstore['pets'] =>
  // The page says itself what there is to say.
  new Petstore({
    apiKey,
    baseUrl: baseUrl(),
    fetch: recordingFetch(record),
    onDeprecated: () => {},
    ...timeouts,
  }).pets

/** Whatever was thrown, as an error of the client. */
export const failureOf = (error: unknown): PetstoreError =>
  error instanceof PetstoreError
    ? error
    : new UnexpectedAnswerError('unexpected_answer', error instanceof Error ? error.message : String(error))

/** The same request for a shell. The key stays out of it: it is taken from a variable. */
export function curlOf({ method, url, requestHeaders, body }: RecordedRequest): string {
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
