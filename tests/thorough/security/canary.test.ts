import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { petJson } from '../../support/http/exact.ts'
import { RawConnection } from '../../support/http/raw-http.ts'
import { createKey } from '../../support/service/cli.ts'
import { engines } from '../../support/service/engines.ts'
import { scrape, startMeasuredProcess } from '../../support/service/metrics.ts'
import { everythingStored } from './support/everything-stored.ts'

const CONFIGURED = 'canary-configured-5e1f0c7d9b'
const WRONG = 'canary-of-nobody-77d2a4c19e'
/** Starts a program in a folder where it may write a core dump. */
const dumpingInto = (folder: string) => ['sh', '-c', `cd ${folder} && ulimit -c unlimited && exec "$0" "$@"`]

describe.each(engines.map(engine => [engine.name, engine] as const))(
  'a canary key on %s',
  (_name, engine) => {
    const dumps = mkdtempSync(join(tmpdir(), 'petstore-dumps-'))
    let service: Awaited<ReturnType<typeof startMeasuredProcess>>
    let made: string
    const answers: string[] = []
    const secrets = (): string[] => [CONFIGURED, WRONG, made.slice('pets_live_xxxx'.length)]
    const findings = (text: string): string[] => secrets().filter(secret => text.includes(secret))

    beforeAll(async () => {
      const databaseUrl = await engine.freshDatabaseUrl()
      made = await createKey(databaseUrl, 'canary')
      service = await startMeasuredProcess({
        databaseUrl,
        variables: { PETSTORE_API_KEY: CONFIGURED },
        within: dumpingInto(dumps),
      })
      for (const key of [CONFIGURED, WRONG, made]) for (const sent of everyPlace(key)) await send(sent)
      await send({ head: ['GET /livez HTTP/1.1', 'Host: x', `X-Request-Id: ${made}`], body: '' })
    })
    afterAll(() => service.process.kill('SIGKILL'))

    async function send({ head, body }: { head: string[]; body: string }): Promise<void> {
      const connection = new RawConnection(service.url)
      connection.send(
        `${[...head, `Content-Length: ${Buffer.byteLength(body)}`].join('\r\n')}\r\n\r\n${body}`,
      )
      const { status, headers, text } = await connection.read()
      answers.push(`${status} ${JSON.stringify([...headers])} ${text}`)
      connection.end()
    }

    test('is in no answer', () => {
      expect(answers.length).toBeGreaterThan(40)
      expect(new Set(answers.map(answer => answer.slice(0, 3)))).toEqual(
        new Set(['200', '201', '400', '401', '404', '405', '415']),
      )
      expect(answers.filter(answer => findings(answer).length > 0)).toEqual([])
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

    test('is in no core dump, and in nothing that is printed, when the process crashes', async () => {
      const control = spawnSync('sh', [...dumpingInto(dumps).slice(1), 'sh', '-c', 'kill -SEGV $$'])
      expect(control.signal ?? control.status).not.toBe(0)
      const before = readdirSync(dumps)
      service.signal('SIGSEGV')
      await service.exited()
      expect(readdirSync(dumps)).toEqual(before)
      const printed = service.output.text + service.errors.text
      expect(printed).toContain('"event":"request"')
      expect(findings(printed)).toEqual([])
    })
  },
)

/** The key in every place of a request, valid or not. */
function everyPlace(key: string): { head: string[]; body: string }[] {
  const lines = (first: string, ...fields: string[]) => [
    first,
    'Host: x',
    'Content-Type: application/json',
    ...fields,
  ]
  const bearer = `Authorization: Bearer ${key}`
  const pet = petJson({})
  return [
    { head: lines('GET /v1/pets HTTP/1.1', bearer), body: '' },
    { head: lines('POST /v1/pets HTTP/1.1', bearer), body: pet },
    { head: lines('PUT /v1/pets HTTP/1.1', bearer), body: '' },
    { head: lines('GET /v1/pets/999999 HTTP/1.1', bearer), body: '' },
    { head: lines('GET /v1/pets HTTP/1.1', `Authorization: Basic ${key}`), body: '' },
    { head: lines('GET /v1/pets HTTP/1.1', `Authorization: ${key}`), body: '' },
    { head: lines('GET /v1/pets HTTP/1.1', `X-Api-Key: ${key}`, `Cookie: key=${key}`), body: '' },
    { head: lines('GET /livez HTTP/1.1', `X-${key}: ${key}`, `Referer: http://x/?k=${key}`), body: '' },
    // An id that is not one of our keys looks like any other id.
    ...(key === WRONG
      ? []
      : [
          { head: lines('GET /v1/pets HTTP/1.1', bearer, `X-Request-Id: ${key}`), body: '' },
          { head: lines('GET /livez HTTP/1.1', `X-Request-Id: a.${key}-b`), body: '' },
        ]),
    { head: lines('POST /v1/pets HTTP/1.1', bearer, `Idempotency-Key: ${key}`), body: pet },
    { head: lines('POST /v1/pets HTTP/1.1', bearer, `Idempotency-Key: my ${key}.`), body: pet },
    { head: lines(`GET /v1/pets?access_token=${key} HTTP/1.1`), body: '' },
    { head: lines(`GET /v1/pets?limit=${key}&status=${key}&cursor=${key} HTTP/1.1`, bearer), body: '' },
    { head: lines(`GET /v1/${key} HTTP/1.1`, bearer), body: '' },
    { head: lines(`GET /${key} HTTP/1.1`), body: '' },
    { head: lines('POST /v1/pets HTTP/1.1', bearer), body: `{"name":"Rex","categoryId":1,"token":"${key}"}` },
    { head: lines('POST /v1/pets HTTP/1.1', bearer), body: `{"name":"Rex","categoryId":"${key}"}` },
    {
      head: lines('POST /v1/pets HTTP/1.1', bearer),
      body: `{"name":"Rex","categoryId":1,"status":"${key}"}`,
    },
    { head: lines('POST /v1/pets HTTP/1.1', bearer), body: `{"${key}":` },
    { head: ['POST /v1/pets HTTP/1.1', 'Host: x', bearer, `Content-Type: text/${key}`], body: pet },
  ]
}
