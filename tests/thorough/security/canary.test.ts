import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { petJson, RawConnection } from '../../support/http.ts'
import { query } from '../../support/postgres.ts'
import { createKey } from '../../support/process.ts'
import { engines, scrape, startMeasuredProcess } from '../../support/service.ts'
import { pathOf } from '../faults/support/stored.ts'

const CONFIGURED = 'canary-configured-5e1f0c7d9b'
const WRONG = 'canary-of-nobody-77d2a4c19e'
const PET = petJson({})

describe.each(engines.map(engine => [engine.name, engine] as const))('a key on %s', (_name, engine) => {
  let service: Awaited<ReturnType<typeof startMeasuredProcess>>
  let made: string
  const answers: string[] = []
  const findings = (text: string): string[] =>
    [CONFIGURED, WRONG, made.slice('pets_live_xxxx'.length)].filter(secret => text.includes(secret))

  beforeAll(async () => {
    const databaseUrl = await engine.freshDatabaseUrl()
    made = await createKey(databaseUrl, 'canary')
    service = await startMeasuredProcess({ databaseUrl, variables: { PETSTORE_API_KEY: CONFIGURED } })
    for (const key of [CONFIGURED, WRONG, made])
      for (const [line, fields, body = ''] of everyPlace(key)) {
        const connection = new RawConnection(service.url)
        const head = [`${line} HTTP/1.1`, 'Host: x', `Content-Length: ${body.length}`, ...fields]
        connection.send(`${head.join('\r\n')}\r\n\r\n${body}`)
        const { status, headers, text } = await connection.read()
        answers.push(`${status} ${JSON.stringify([...headers])} ${text}`)
        connection.end()
      }
  })
  afterAll(() => service.discard())

  test('is in no response', () => {
    const statuses = new Set(answers.map(answer => Number(answer.slice(0, 3))))
    expect(statuses).toEqual(new Set([200, 201, 400, 401, 404, 405, 415]))
    expect(answers.flatMap(findings)).toEqual([])
  })

  test('is in no metric', async () => {
    const { text } = await scrape(service.metricsUrl)
    expect(text).toContain('petstore_requests_total')
    expect(findings(text)).toEqual([])
  })

  test('is in nothing that is stored', async () => {
    const stored = await everythingStored(service.options.databaseUrl)
    expect(stored).toContain('canary')
    expect(findings(stored)).toEqual([])
  })

  test('is in nothing that is printed, a crash included', async () => {
    service.signal('SIGSEGV')
    await service.exited()
    const printed = service.output.text + service.errors.text
    expect(printed).toContain('"event":"request"')
    expect(findings(printed)).toEqual([])
  })
})

/** The key in every place of a request, valid or not: the first line, fields, a body. */
function everyPlace(key: string): [line: string, fields: string[], body?: string][] {
  const bearer = `Authorization: Bearer ${key}`
  const json = [bearer, 'Content-Type: application/json']
  // An id that is not one of our keys looks like any other id.
  const ids = key === WRONG ? [] : [`X-Request-Id: ${key}`, `X-Request-Id: a.${key}-b`]
  return [
    ['GET /v1/pets', [bearer]],
    ['PUT /v1/pets', [bearer]],
    ['GET /v1/pets/999999', [bearer]],
    ['GET /v1/pets', [`Authorization: Basic ${key}`]],
    ['GET /v1/pets', [`Authorization: ${key}`]],
    ['GET /v1/pets', [`X-Api-Key: ${key}`, `Cookie: key=${key}`]],
    ['GET /livez', [`X-${key}: ${key}`, `Referer: http://x/?k=${key}`]],
    ...ids.flatMap((id): [string, string[]][] => [
      ['GET /v1/pets', [bearer, id]],
      ['GET /livez', [id]],
    ]),
    [`GET /v1/pets?access_token=${key}`, []],
    [`GET /v1/pets?limit=${key}&status=${key}&cursor=${key}`, [bearer]],
    [`GET /v1/${key}`, [bearer]],
    [`GET /${key}`, []],
    ['POST /v1/pets', json, PET],
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
