import { expect, test } from 'bun:test'
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { type CompleteResponse, petJson, RawConnection } from '../support/http.ts'
import { MEASURED, scrape } from '../support/metrics.ts'
import { query } from '../support/postgres.ts'
import { eventually, pathOf } from '../support/process.ts'
import { engines, startProcess } from '../support/service.ts'
import { addKey } from '../support/store.ts'

const PASSWORD = 'canary-of-the-database-3b81'
const CONFIGURED = 'canary-configured-5e1f0c7d9b'
/** Keys that nobody has, one of them in the right form. */
const WRONG = ['canary-of-nobody-77d2a4c19e', `pets_live_${'c'.repeat(33)}`]
const TRACEPARENT = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01'
const PET = petJson({ name: 'canary-body' })
/** What a log must not contain, beside keys. */
const PRIVATE = ['canary-body', 'canary-query', 'canary-path', 'canary-idempotency']

test.each(engines)(
  'on $name, no secret is in a response, metric, trace, database or output',
  async engine => {
    const databaseUrl = Object.assign(new URL(await engine.freshDatabaseUrl()), { password: PASSWORD }).href
    const made = await addKey(databaseUrl, 'canary')
    // Unparsed, so that no field is left out: OTLP has texts as they are.
    let traces = ''
    const receive = async (request: Request) => {
      traces += Buffer.from(await request.bytes()).toString('latin1')
      return new Response()
    }
    await using collector = Bun.serve({ hostname: '127.0.0.1', port: 0, fetch: receive })
    const tracing = { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url.origin, OTEL_BSP_SCHEDULE_DELAY: '100' }
    const service = await startProcess({
      databaseUrl,
      variables: { PETSTORE_SERVER_API_KEY: CONFIGURED, ...MEASURED, ...tracing },
    })
    const answers: CompleteResponse[] = []
    for (const key of [CONFIGURED, made, ...WRONG])
      for (const [line, fields, body = ''] of everyPlace(key)) {
        using connection = new RawConnection(service.url)
        const head = [`${line} HTTP/1.1`, 'Host: x', `Content-Length: ${body.length}`, ...fields]
        connection.request(head, body)
        answers.push(await connection.read())
      }
    const { text: metrics } = await scrape(service)
    const stored = await everythingStored(databaseUrl)
    await service.fetch('/openapi.json', { headers: { 'X-Request-Id': 'last-of-them' } })
    await service.output.entry(({ requestId }) => requestId === 'last-of-them')
    await eventually('the last span arrives', () => traces.includes('last-of-them') || undefined)
    service.signal('SIGSEGV')
    await service.exited()
    const printed = service.output.text + service.errors.text

    const statuses = new Set(answers.map(({ status }) => status))
    expect(statuses).toEqual(new Set([200, 201, 400, 401, 404, 405, 415]))
    expect(metrics).toContain('petstore_requests_total')
    expect(stored).toContain('canary-body')
    const responses = answers.map(({ headers, text }) => `${JSON.stringify([...headers])} ${text}`).join()
    const secrets = [CONFIGURED, PASSWORD, made.slice('pets_live_xxxx'.length), ...WRONG]
    for (const text of [responses, metrics, traces, stored, printed])
      expect(secrets.filter(secret => text.includes(secret))).toEqual([])
    expect(PRIVATE.filter(secret => printed.includes(secret))).toEqual([])
    expect(stored).not.toContain('canary-idempotency')
  },
)

/** The key in every place of a request, valid or not: the first line, fields, a body. */
function everyPlace(key: string): [line: string, fields: string[], body?: string][] {
  const bearer = `Authorization: Bearer ${key}`
  const json = [bearer, 'Content-Type: application/json']
  // An id that is not one of our keys looks like any other id.
  const ids = WRONG.includes(key) ? [] : [`X-Request-Id: ${key}`, `X-Request-Id: a.${key}-b`]
  return [
    ['GET /v1/pets', [bearer]],
    ['PUT /v1/pets', [bearer]],
    ['GET /v1/pets/999999', [bearer]],
    ['GET /v1/pets', [`Authorization: Basic ${key}`]],
    ['GET /v1/pets', [`Authorization: ${key}`]],
    ['GET /v1/pets', [`X-Api-Key: ${key}`, `Cookie: key=${key}`]],
    ['GET /livez', [`X-${key}: ${key}`, `Referer: http://x/?k=${key}`]],
    ['GET /v1/pets', [`traceparent: ${TRACEPARENT}`, `tracestate: key=${key}`, `baggage: key=${key}`]],
    ...ids.flatMap((id): [string, string[]][] => [
      ['GET /v1/pets', [bearer, id]],
      ['GET /livez', [id]],
    ]),
    [`GET /v1/pets?access_token=${key}`, []],
    [`GET /v1/pets?limit=${key}&status=${key}&cursor=${key}`, [bearer]],
    ['GET /v1/pets?limit=canary-query', [bearer]],
    ['GET /v1/canary-path', [bearer]],
    [`GET /v1/${key}`, [bearer]],
    [`GET /${key}`, []],
    ['POST /v1/pets', json, PET],
    ['POST /v1/pets', [...json, 'Idempotency-Key: canary-idempotency'], PET],
    ['POST /v1/pets', [...json, `Idempotency-Key: ${key}`], PET],
    ['POST /v1/pets', [...json, `Idempotency-Key: my ${key}.`], PET],
    ['POST /v1/pets', json, `{"name":"Rex","categoryId":1,"token":"${key}"}`],
    ['POST /v1/pets', json, `{"name":"Rex","categoryId":"${key}"}`],
    ['POST /v1/pets', json, `{"name":"Rex","categoryId":1,"status":"${key}"}`],
    ['POST /v1/pets', json, `{"${key}":`],
    ['POST /v1/pets', [bearer, `Content-Type: text/${key}`], PET],
  ]
}

/** Everything that a database contains: its files, or every row of every table. */
async function everythingStored(databaseUrl: string): Promise<string> {
  if (databaseUrl.startsWith('sqlite:')) {
    const folder = dirname(pathOf(databaseUrl))
    return readdirSync(folder)
      .map(file => readFileSync(join(folder, file), 'latin1'))
      .join('\n')
  }
  const tables = "SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public'"
  const rows: unknown[] = []
  for (const { name } of await query<{ name: string }>(databaseUrl, tables))
    rows.push(await query(databaseUrl, `SELECT t::text FROM "${name}" AS t`))
  return JSON.stringify(rows)
}
