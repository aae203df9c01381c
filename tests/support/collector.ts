interface Attribute {
  readonly key: string
  readonly value: { readonly stringValue?: string; readonly intValue?: string }
}

interface OtlpSpan {
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId?: string
  readonly name: string
  readonly kind: number
  readonly startTimeUnixNano: string
  readonly endTimeUnixNano: string
  readonly attributes: readonly Attribute[]
  readonly status: { readonly code?: number }
}

interface Payload {
  readonly resourceSpans: readonly {
    readonly resource: { readonly attributes: readonly Attribute[] }
    readonly scopeSpans: readonly { readonly spans: readonly OtlpSpan[] }[]
  }[]
}

export interface Span extends Omit<OtlpSpan, 'attributes'> {
  readonly attributes: Readonly<Record<string, string | undefined>>
}

/** Receives OTLP over HTTP as a collector does, and keeps what it got. */
export class Collector {
  readonly spans: Span[] = []
  readonly requests: { readonly path: string; readonly headers: Headers }[] = []
  resource: Span['attributes'] = {}
  /** What it answers with. */
  status = 200
  readonly #server = Bun.serve({ hostname: '127.0.0.1', port: 0, fetch: request => this.#receive(request) })

  get endpoint(): string {
    return `http://127.0.0.1:${this.#server.port}`
  }

  async stop(): Promise<void> {
    await this.#server.stop(true)
  }

  async #receive(request: Request): Promise<Response> {
    this.requests.push({ path: new URL(request.url).pathname, headers: request.headers })
    if (request.method !== 'POST') return new Response(null, { status: 405 })
    const { resourceSpans } = (await request.json()) as Payload
    if (this.status === 200)
      for (const { resource, scopeSpans } of resourceSpans) {
        this.resource = named(resource.attributes)
        for (const { attributes, ...span } of scopeSpans.flatMap(({ spans }) => spans))
          this.spans.push({ ...span, attributes: named(attributes) })
      }
    return Response.json({ partialSuccess: {} }, { status: this.status })
  }
}

const named = (attributes: readonly Attribute[]): Span['attributes'] =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, value.stringValue ?? value.intValue]))
