/** One request and its answer, as developers want to see it. The API key is no part of it. */
export interface RecordedExchange {
  readonly method: string
  readonly url: string
  readonly requestHeaders: readonly (readonly [string, string])[]
  readonly body: string | undefined
  /** Undefined while there is no answer. */
  readonly answer: ExchangeAnswer | undefined
}

export interface ExchangeAnswer {
  readonly status: number
  readonly requestId: string | undefined
  readonly headers: readonly (readonly [string, string])[]
  readonly durationMs: number
}

export type Note = (exchange: RecordedExchange) => void

type Fetch = (url: string, init: RequestInit) => Promise<Response>

/** The browser's fetch, which tells what it sent and what came back. */
export function notingFetch(note: Note): Fetch {
  return async (url, init) => {
    const asked = {
      method: init.method ?? 'GET',
      url,
      requestHeaders: [...new Headers(init.headers)].filter(([name]) => name !== 'authorization'),
      body: typeof init.body === 'string' ? init.body : undefined,
    }
    note({ ...asked, answer: undefined })
    const started = performance.now()
    const response = await fetch(url, init)
    const { status, headers } = response
    const answer = {
      status,
      requestId: headers.get('x-request-id') ?? undefined,
      headers: [...headers],
      durationMs: performance.now() - started,
    }
    note({ ...asked, answer })
    return response
  }
}
