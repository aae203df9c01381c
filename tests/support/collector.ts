import protobuf from 'protobufjs'

/** The part of OTLP's trace service that the tests use. */
const SCHEMA = `
  syntax = "proto3";
  message Value { oneof value { string stringValue = 1; int64 intValue = 3; } }
  message KeyValue { string key = 1; Value value = 2; }
  message Status { int32 code = 3; }
  message Span {
    bytes traceId = 1; bytes spanId = 2; bytes parentSpanId = 4; string name = 5; int32 kind = 6;
    repeated KeyValue attributes = 9; Status status = 15;
  }
  message ScopeSpans { repeated Span spans = 2; }
  message Resource { repeated KeyValue attributes = 1; }
  message ResourceSpans { Resource resource = 1; repeated ScopeSpans scopeSpans = 2; }
  message Request { repeated ResourceSpans resourceSpans = 1; }
`

type Attributes = readonly { key: string; value: { stringValue?: string; intValue?: string } }[]
type Ids = 'traceId' | 'spanId' | 'parentSpanId'

interface Sent {
  readonly name: string
  readonly kind: number
  readonly status: { readonly code: number } | null
}

interface Payload {
  readonly resourceSpans: readonly {
    readonly resource: { readonly attributes: Attributes }
    readonly scopeSpans: readonly {
      readonly spans: readonly (Sent & Record<Ids, Uint8Array> & { readonly attributes: Attributes })[]
    }[]
  }[]
}

/** A span with its identifiers in hexadecimal. */
export interface Span extends Sent {
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId: string | undefined
  readonly attributes: Readonly<Record<string, string | undefined>>
}

/** Receives OTLP over HTTP like a collector, and stores what it received. */
export class Collector {
  readonly spans: Span[] = []
  readonly requests: { readonly path: string; readonly headers: Headers }[] = []
  resource: Span['attributes'] = {}
  /** The status of its answers. */
  status = 200
  readonly #type = protobuf.parse(SCHEMA).root.lookupType('Request')
  readonly #server = Bun.serve({ hostname: '127.0.0.1', port: 0, fetch: request => this.#receive(request) })

  get endpoint(): string {
    return `http://127.0.0.1:${this.#server.port}`
  }

  async stop(): Promise<void> {
    await this.#server.stop(true)
  }

  async #receive(request: Request): Promise<Response> {
    this.requests.push({ path: new URL(request.url).pathname, headers: request.headers })
    const message = this.#type.decode(await request.bytes())
    const { resourceSpans } = this.#type.toObject(message, { longs: String, defaults: true }) as Payload
    if (this.status === 200)
      for (const { resource, scopeSpans } of resourceSpans) {
        this.resource = named(resource.attributes)
        for (const { traceId, spanId, parentSpanId, attributes, ...sent } of scopeSpans.flatMap(
          s => s.spans,
        )) {
          const ids = {
            traceId: hex(traceId),
            spanId: hex(spanId),
            parentSpanId: hex(parentSpanId) || undefined,
          }
          this.spans.push({ ...sent, ...ids, attributes: named(attributes) })
        }
      }
    return new Response(null, { status: this.status })
  }
}

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex')

const named = (attributes: Attributes): Span['attributes'] =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, value.stringValue ?? value.intValue]))
