type Handle = (route: DocumentRoute) => unknown

export interface Rule {
  readonly pattern: string
  readonly handle: Handle
  times: number
}

/** A request that a rule of `page.route` handles. */
export class DocumentRoute {
  readonly #request: Request
  readonly #others: readonly Rule[]
  readonly #answer = Promise.withResolvers<Response>()

  constructor(request: Request, others: readonly Rule[]) {
    this.#request = request
    this.#others = others
  }

  get answer(): Promise<Response> {
    return this.#answer.promise
  }

  request() {
    const { method, url } = this.#request
    return { method: () => method, url: () => url, postDataJSON: () => this.#body }
  }

  #body: unknown
  /** Kept here, because a request can be read only once. */
  async readBody(): Promise<this> {
    this.#body = await this.#request
      .clone()
      .json()
      .catch(() => undefined)
    return this
  }

  fetch(): Promise<Response> {
    return fetch(this.#request.clone() as Request)
  }

  async continue(): Promise<void> {
    this.#answer.resolve(this.fetch())
  }

  async fallback(): Promise<void> {
    this.#answer.resolve(send(this.#request, this.#others))
  }

  async abort(): Promise<void> {
    this.#answer.reject(new TypeError('Failed to fetch'))
  }

  async fulfill(response: {
    status: number
    body?: string
    json?: object
    headers?: Readonly<Record<string, string>>
    contentType?: string
  }) {
    const { status, json, body = JSON.stringify(json), contentType = 'application/json' } = response
    const headers = { 'Content-Type': contentType, ...response.headers }
    this.#answer.resolve(new Response(body, { status, headers }))
  }
}

/** Bodies by URL: a browser keeps them too, and asks only whether they have changed. */
const kept = new Map<string, { readonly tag: string; readonly body: string; readonly head: Response }>()

async function ask(request: Request): Promise<Response> {
  const known = request.method === 'GET' ? kept.get(request.url) : undefined
  const asked = request.clone() as Request
  if (known) asked.headers.set('If-None-Match', known.tag)
  const response = await fetch(asked)
  if (known && response.status === 304) return new Response(known.body, known.head)
  const tag = response.headers.get('ETag')
  if (tag !== null)
    kept.set(request.url, { tag, body: await response.clone().text(), head: response.clone() as Response })
  return response
}

/** Sends a request of a page; the newest rule that fits handles it. */
export async function send(request: Request, rules: readonly Rule[]): Promise<Response> {
  const at = rules.findLastIndex(
    ({ pattern, times }) => times > 0 && new Bun.Glob(pattern.replace('?', '\\?')).match(request.url),
  )
  const rule = rules[at]
  if (!rule) return ask(request)
  rule.times--
  const route = await new DocumentRoute(request, rules.slice(0, at)).readBody()
  const { promise: isGivenUp, reject } = Promise.withResolvers<never>()
  request.signal.addEventListener('abort', () => reject(request.signal.reason))
  void Promise.resolve(rule.handle(route)).catch(() => undefined)
  return Promise.race([route.answer, isGivenUp])
}
