/** What a test does with a request of a page. */
interface Route {
  request(): { method(): string; url(): string; postDataJSON(): unknown }
  /** Sends it to the service; the page gets no response by that. */
  fetch(): Promise<Response>
  continue(): Promise<void>
  /** Leaves it to the rules before. */
  fallback(): Promise<void>
  abort(): Promise<void>
  fulfill(response: ResponseInit & { readonly body?: string; readonly json?: object }): Promise<void>
}

export interface Rule {
  readonly pattern: string
  readonly handle: (route: Route) => unknown
  times: number
}

/** Whether a URL matches a pattern, in which a question mark is one. */
export const matches = (pattern: string, url: string): boolean =>
  new Bun.Glob(pattern.replace('?', '\\?')).match(url)

/** Responses by URL: a browser keeps them too, and asks only whether they have changed. */
const kept = new Map<string, Response>()

async function ask(request: Request): Promise<Response> {
  const known = request.method === 'GET' ? kept.get(request.url) : undefined
  const asked = request.clone() as Request
  if (known) asked.headers.set('If-None-Match', known.headers.get('ETag') ?? '')
  const response = await fetch(asked)
  if (response.status === 304 && known) return known.clone() as Response
  if (response.headers.has('ETag')) kept.set(request.url, response.clone() as Response)
  return response
}

/** Sends a request of a page; the newest rule that fits handles it. */
export async function send(request: Request, rules: readonly Rule[]): Promise<Response> {
  const at = rules.findLastIndex(({ pattern, times }) => times > 0 && matches(pattern, request.url))
  const rule = rules[at]
  if (!rule) return ask(request)
  rule.times--
  const { method, url, signal } = request
  const body = method === 'POST' ? await (request.clone() as Request).json() : undefined
  const { promise, resolve, reject } = Promise.withResolvers<Response>()
  signal.addEventListener('abort', () => reject(signal.reason))
  const pass = (sending: Promise<Response>) => void sending.then(resolve, reject)
  const route: Route = {
    request: () => ({ method: () => method, url: () => url, postDataJSON: () => body }),
    fetch: () => fetch(request.clone() as Request),
    continue: async () => pass(ask(request)),
    fallback: async () => pass(send(request, rules.slice(0, at))),
    abort: async () => reject(new TypeError('Failed to fetch')),
    fulfill: async ({ json, body, ...head }) =>
      resolve(json ? Response.json(json, head) : new Response(body, head)),
  }
  signal.throwIfAborted()
  void rule.handle(route)
  return promise
}
