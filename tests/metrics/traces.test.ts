import { Database } from 'bun:sqlite'
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import protobuf from 'protobufjs'
import { RELEASE } from '../../src/release.ts'
import { petJson, rawRequest } from '../support/http.ts'
import { eventually, freshFolder, pathOf } from '../support/process.ts'
import { type ServiceProcess, startProcess } from '../support/service.ts'

const TRACEPARENT = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01'
const [, TRACE, PARENT] = TRACEPARENT.split('-').map(hex => Buffer.from(hex, 'hex').toString('base64'))
const [SERVER, ERROR] = [2, 2]

/** The part of OTLP's trace service that the tests use. Its lists of keys and values have the form of a map. */
const SCHEMA = `
  syntax = "proto3";
  message Value { oneof value { string text = 1; int64 integer = 3; } }
  message Status { int32 code = 3; }
  message Span {
    bytes traceId = 1; bytes parentSpanId = 4; string name = 5; int32 kind = 6;
    map<string, Value> attributes = 9; Status status = 15;
  }
  message ScopeSpans { repeated Span spans = 2; }
  message Resource { map<string, Value> attributes = 1; }
  message ResourceSpans { Resource resource = 1; repeated ScopeSpans scopeSpans = 2; }
  message Request { repeated ResourceSpans resourceSpans = 1; }
`
/** Identifiers are in base64. */
const TEXTS = { longs: String, bytes: String, defaults: true }
const REQUEST = protobuf.parse(SCHEMA).root.lookupType('Request')

interface Span {
  readonly traceId: string
  readonly status: { readonly code: number } | null
  readonly attributes: Readonly<Record<string, string>>
}
interface Payload {
  readonly resourceSpans: { resource: Pick<Span, 'attributes'>; scopeSpans: { spans: Span[] }[] }[]
}

/** With what a value holds in its place. */
const plain = (message: object): unknown =>
  JSON.parse(JSON.stringify(message), (_name, value) => value?.text ?? value?.integer ?? value)

class Collector {
  readonly spans: Span[] = []
  readonly requests: { readonly path: string; readonly headers: Headers }[] = []
  resource: Span['attributes'] = {}
  status = 200
  hangs = false
  readonly #server = Bun.serve({ hostname: '127.0.0.1', port: 0, fetch: request => this.#receive(request) })

  get endpoint(): string {
    return `http://127.0.0.1:${this.#server.port}`
  }

  async stop(): Promise<void> {
    await this.#server.stop(true)
  }

  async #receive(request: Request): Promise<Response> {
    this.requests.push({ path: new URL(request.url).pathname, headers: request.headers })
    const message = REQUEST.decode(await request.bytes())
    const { resourceSpans } = plain(REQUEST.toObject(message, TEXTS)) as Payload
    if (this.status === 200)
      for (const { resource, scopeSpans } of resourceSpans) {
        this.resource = resource.attributes
        this.spans.push(...scopeSpans.flatMap(({ spans }) => spans))
      }
    return this.hangs ? new Promise<never>(() => {}) : new Response(null, { status: this.status })
  }
}

describe('traces', () => {
  const collector = new Collector()
  let service: ServiceProcess

  beforeAll(async () => {
    // The threads that send spans must see the settings file too.
    const file = join(await freshFolder(), 'traces.env')
    const settings = ['OTEL_EXPORTER_OTLP_HEADERS=x-tenant=pets%20and%20more', 'OTEL_SERVICE_NAME=pets-here']
    await Bun.write(file, settings.join('\n'))
    service = await startProcess({
      flags: ['--env-file', file],
      variables: { OTEL_EXPORTER_OTLP_ENDPOINT: collector.endpoint, OTEL_BSP_SCHEDULE_DELAY: '100' },
    })
  })
  afterAll(async () => {
    expect(await service.stop()).toBe(0)
    expect(service.errors.text).toBe('')
    await collector.stop()
  })

  const spanOf = (requestId: string): Promise<Span> =>
    eventually(`the span of ${requestId}`, () =>
      collector.spans.find(span => span.attributes['petstore.request_id'] === requestId),
    )

  test('a creation is a span', async () => {
    await service.post(petJson({}), { 'X-Request-Id': 'create-1' })
    const span = await spanOf('create-1')
    expect(span).toMatchObject({ name: 'POST /v1/pets', kind: SERVER, parentSpanId: '', status: { code: 0 } })
    expect(span.attributes).toMatchObject({
      'http.request.method': 'POST',
      'http.route': '/v1/pets',
      'petstore.operation': 'createPet',
      'petstore.key_id': expect.stringMatching(/^configured_/),
      'http.response.status_code': '201',
    })
  })

  test('of a failure of our own is an error, that of a mistake of the caller is not', async () => {
    using database = new Database(pathOf(service.options.databaseUrl))
    const outcomeOf = async (path: string, requestId: string) => {
      await service.fetch(path, { headers: { 'X-Request-Id': requestId } })
      const { attributes, status } = await spanOf(requestId)
      return [attributes['http.response.status_code'], status?.code]
    }
    expect(await outcomeOf('/v1/pets/999', 'missing')).toEqual(['404', 0])
    database.run('ALTER TABLE pets RENAME TO others')
    expect(await outcomeOf('/v1/pets?status=sold', 'broken')).toEqual(['500', ERROR])
    database.run('ALTER TABLE others RENAME TO pets')
  })

  test("the caller's span is the parent, by W3C traceparent", async () => {
    // The runtime's router does not know this spelling.
    const line = 'GET /v1/%70ets/1 HTTP/1.1'
    await rawRequest(service.url, [line, 'Host: x', `traceparent: ${TRACEPARENT}`, 'X-Request-Id: child-1'])
    const parents = { traceId: TRACE, parentSpanId: PARENT }
    expect(await spanOf('child-1')).toMatchObject({ name: 'GET /v1/pets/:petId', ...parents })
  })

  test('requests that run at the same time each have their own span', async () => {
    const ids = Array.from({ length: 20 }, (_, n) => `many-${n}`)
    await Promise.all(ids.map(id => service.post(petJson({}), { 'X-Request-Id': id })))
    const spans = await Promise.all(ids.map(spanOf))
    expect(new Set(spans.map(({ traceId }) => traceId)).size).toBe(ids.length)
  })

  test('the collector gets OTLP at its path, with the headers of the settings and the name of the service', async () => {
    await service.fetch('/v1/pets', { headers: { 'X-Request-Id': 'settings-1' } })
    await spanOf('settings-1')
    expect(collector.requests[0]?.path).toBe('/v1/traces')
    expect(collector.requests[0]?.headers.get('content-type')).toBe('application/x-protobuf')
    expect(collector.requests[0]?.headers.get('x-tenant')).toBe('pets and more')
    expect(collector.resource).toMatchObject({
      'service.name': 'pets-here',
      'service.version': RELEASE,
      'deployment.environment.name': 'production',
    })
  })
})

test('spans that wait at a stop are sent, which a collector that hangs does not hold up; one that fails or is gone harms no request, and the log counts what was lost and says why', async () => {
  const collector = new Collector()
  collector.hangs = true
  const variables = { OTEL_EXPORTER_OTLP_ENDPOINT: collector.endpoint, PETSTORE_ENV: 'staging' }
  const first = await startProcess({ variables })
  await first.fetch('/v1/pets', { headers: { 'X-Request-Id': 'last-1' } })
  expect(await first.stop()).toBe(0)
  expect(first.output.log.at(-1)).toMatchObject({ event: 'stopped', unfinished: 0 })
  const ids = collector.spans.map(span => span.attributes['petstore.request_id'])
  expect(ids).toContain('last-1')
  expect(collector.resource).toMatchObject({
    'service.name': 'petstore',
    'service.instance.id': expect.stringMatching(/^[0-9a-f]{8}-/),
    'deployment.environment.name': 'staging',
  })

  collector.hangs = false
  // A status that the exporter does not retry.
  collector.status = 400
  const soon = { OTEL_BSP_SCHEDULE_DELAY: '100', OTEL_EXPORTER_OTLP_TIMEOUT: '500' }
  const service = await startProcess({ variables: { ...variables, ...soon } })
  const lost = () => service.output.log.filter(line => line.event === 'spans-dropped')
  expect(await service.post(petJson({}))).toHaveStatus(201)
  await eventually('a batch is lost', () => lost().length > 0 || undefined)
  expect(lost()[0]).toMatchObject({ count: 1, cause: { message: expect.any(String) } })
  const received = collector.spans.length
  collector.status = 200
  await service.post(petJson({}))
  await eventually('spans arrive again', () => collector.spans.length > received || undefined)
  await collector.stop()
  const before = lost().length
  expect(await service.post(petJson({}))).toHaveStatus(201)
  await eventually('another batch is lost', () => lost().length > before || undefined)
  expect(await service.stop()).toBe(0)
})
