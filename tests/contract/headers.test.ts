import { expect, test } from 'bun:test'
import { IN_WORDS, operationOf, responseOf } from '../support/described.ts'
import { type Answer, petJson } from '../support/http.ts'
import { type RequestOptions, sharedService } from '../support/service.ts'

const QUOTA = 30
const service = sharedService({ variables: { PETSTORE_RATE_LIMIT: `${QUOTA}/3600s` } })
const staging = sharedService({ variables: { PETSTORE_ENV: 'staging', PETSTORE_REHEARSE_SUNSET: 'on' } })

/** Headers of HTTP itself, which an OpenAPI document does not list. */
const OF_HTTP = ['cache-control', 'content-length', 'content-type', 'date']
const ON_ANY = IN_WORDS.map(name => name.toLowerCase())

const json = { 'Content-Type': 'application/json' }
const add = (body: string, headers = {}): [string, RequestOptions] => [
  '/v1/pets',
  { method: 'POST', body, headers: { ...json, ...headers } },
]
const [ONCE, OTHER] = [petJson({ name: 'once' }), petJson({ name: 'other' })]
/** Together they provoke every listed status but 409, 500 and 503, with all headers that it can have. */
const REQUESTS: readonly [string, RequestOptions?][] = [
  add(ONCE, { 'Idempotency-Key': 'a' }),
  add(ONCE, { 'Idempotency-Key': 'a' }),
  add(OTHER, { 'Idempotency-Key': 'a' }),
  add(OTHER, { 'Idempotency-Key': 'a, b' }),
  add('{}', { 'Content-Encoding': 'gzip' }),
  add(' '.repeat(70_000)),
  add(OTHER),
  ['/v1/pets?limit=1'],
  ['/v1/pets?limit=0'],
  ...['/v1/pets?limit=1', '/v1/pets/1'].flatMap((target): [string, RequestOptions][] => [
    [target, {}],
    [target, { key: null }],
    [target, { headers: { 'If-None-Match': '*' } }],
    [target, { headers: { 'If-Match': '"x"' } }],
  ]),
  ['/v1/pets/99'],
]

test('each response of the description lists the headers that the service sends, and no other', async () => {
  const [sent, listed] = [new Map<string, Set<string>>(), new Map<string, Set<string>>()]
  const take = (target: string, { method = 'GET' }: RequestOptions, { status, headers }: Answer) => {
    const operation = operationOf(method, target)
    const response = operation && responseOf(operation, status)
    if (response?.described === undefined) throw new Error(`${method} ${target} → ${status} is not described`)
    const { name = `${method} ${target.replace(/\?.*/, '')} ${status}`, described } = response
    const names = Object.keys(described.headers ?? {}).map(header => header.toLowerCase())
    const isListed = (header: string) => names.includes(header) || status < 300 || !ON_ANY.includes(header)
    const seen = sent.get(name) ?? new Set()
    for (const header of headers.keys()) if (!OF_HTTP.includes(header) && isListed(header)) seen.add(header)
    sent.set(name, seen)
    listed.set(name, new Set(names))
  }
  for (const [target, options = {}] of REQUESTS) take(target, options, await service().fetch(target, options))
  const removed = await staging().fetch('/v1/pets/1')
  expect(removed).toHaveStatus(410)
  take('/v1/pets/1', {}, removed)
  for (let n = 0; n < QUOTA; n++) await service().fetch('/v1/pets')
  const limited = await service().fetch('/v1/pets/1')
  expect(limited).toHaveStatus(429)
  take('/v1/pets/1', {}, limited)
  const sorted = (found: Map<string, Set<string>>) =>
    Object.fromEntries([...found].map(([name, headers]) => [name, [...headers].toSorted()]))
  expect(sorted(sent)).toEqual(sorted(listed))
  expect(Object.keys(sorted(sent))).toHaveLength(14)
})
