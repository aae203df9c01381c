import Ajv2020 from 'ajv/dist/2020.js'
import document from '../../openapi.json'
import type { CompleteResponse } from './http.ts'

interface Schema {
  readonly $ref: string
}

interface Described {
  readonly content?: { readonly 'application/json': { readonly schema: Schema } }
  readonly headers?: Record<string, { readonly $ref?: string }>
}

interface Operation {
  readonly deprecated?: true
  readonly responses: Record<string, Described | { readonly $ref: string }>
}

const PATHS = document.paths as unknown as Record<string, Record<string, Operation>>
const SHARED = document.components.responses as Record<string, Described>
const NAMED = document.components.headers as Record<string, { readonly required?: boolean }>
const RATE_LIMIT_HEADERS = ['RateLimit', 'RateLimit-Policy']
/** Their descriptions say which responses carry them, so only the successful ones list them. */
const IN_WORDS = ['X-Request-Id', 'Deprecation', 'Sunset', 'Link', ...RATE_LIMIT_HEADERS]
/** Below the version prefix, but not an operation of the description. */
const NO_OPERATION: Described = {
  content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
  headers: { 'WWW-Authenticate': {}, Allow: {} },
}

/** Throws unless openapi.json describes this answer: its status, the shape of its body, its headers. */
export function assertDescribed(method: string, target: string, answer: CompleteResponse): void {
  const found = [...violations(method, target, answer)]
  if (found.length > 0)
    throw new Error(
      `openapi.json does not describe ${method} ${target} → ${answer.text}: ${found.join('; ')}`,
    )
}

function* violations(method: string, target: string, answer: CompleteResponse): Generator<string> {
  const operation = operationOf(method, target)
  const described = descriptionOf(operation, target, answer.status)
  if (described === undefined) yield `${answer.status} is not described`
  else yield* ofHeaders(answer, described)
  yield* ofDeprecation(answer, described, operation?.deprecated === true)
  if (answer.text === '') return
  if (method === 'HEAD') yield 'HEAD must have no body'
  else yield* ofBody(answer, described)
}

const operationOf = (method: string, target: string): Operation | undefined =>
  PATHS[pathOf(target)]?.[method === 'HEAD' ? 'get' : method.toLowerCase()]

const pathOf = (target: string): string =>
  (target.split('?', 1)[0] ?? '').replace(/^\/v1/, '').replace(/^(\/pets)\/[^/]+$/, '$1/{petId}')

function descriptionOf(operation: Operation | undefined, target: string, status: number) {
  // A method that is not served has no operation.
  const without = PATHS[pathOf(target)] === undefined ? 404 : 405
  if (operation === undefined) return status === 401 || status === without ? NO_OPERATION : undefined
  // Any request may be malformed, so no operation names it.
  const named = operation.responses[String(status)]
  if (named === undefined) return status === 400 ? NO_OPERATION : undefined
  return '$ref' in named ? SHARED[last(named.$ref)] : named
}

const last = (reference: string): string => reference.split('/').at(-1) ?? ''

function* ofHeaders({ status, headers }: CompleteResponse, { headers: own = {} }: Described) {
  const inWords = IN_WORDS.filter(name => status !== 401 || !RATE_LIMIT_HEADERS.includes(name))
  for (const name in NAMED)
    if (headers.has(name) && !(name in own) && !inWords.includes(name))
      yield `the header ${name} is not described`
  for (const [name, { $ref = '' }] of Object.entries(own))
    if (NAMED[last($ref)]?.required && !headers.has(name)) yield `${name} is missing`
  if (!headers.has('X-Request-Id')) yield 'X-Request-Id is missing'
  if (headers.has('RateLimit') !== headers.has('RateLimit-Policy')) yield 'a rate limit without its pair'
}

/** Every response of a deprecated operation carries the three headers, and no other response does. */
function* ofDeprecation({ headers }: CompleteResponse, described: Described | undefined, is: boolean) {
  const link = headers.get('Link') ?? ''
  const found = [headers.has('Deprecation'), headers.has('Sunset'), link.includes('rel="deprecation"')]
  const reference = described?.headers?.Link?.$ref
  if (reference !== undefined) found.push(last(reference) === 'DeprecationLink')
  if (found.some(has => has !== is)) yield 'the deprecation headers are not as described'
}

function* ofBody(answer: CompleteResponse, described: Described | undefined): Generator<string> {
  const { status, headers } = answer
  const schema = described?.content?.['application/json'].schema
  if (schema === undefined) return yield 'a body is not described'
  yield* problems(JSON.parse(answer.text), schema)
  if (headers.get('content-type') !== 'application/json') yield 'the body is not application/json'
  if (status < 400) return
  const { message } = answer.error
  if (answer.error.status !== status) yield 'the statuses differ'
  if (headers.get('cache-control') !== 'no-store') yield 'an error may be stored'
  if (!/^[A-Z].*\.$/.test(message)) yield 'the message is not a sentence'
  if (/<(script|img)/.test(message)) yield 'the message repeats what could be markup'
  if (/sqlite|postgres|\.ts\b|\/src|bun\b/i.test(message)) yield 'the message tells something internal'
}

let compiled: Ajv2020 | undefined

/** How a value violates a schema of openapi.json. Fields that the schema does not name are violations too. */
function problems(value: unknown, { $ref }: Schema): string[] {
  compiled ??= checker()
  compiled.validate(`openapi${$ref}`, value)
  return (compiled.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`.trim())
}

function checker(): Ajv2020 {
  const ajv = new Ajv2020({ allErrors: true })
  ajv.addVocabulary(['components', 'example', 'x-extensible-enum'])
  // Other tests check the digits beyond 2^53.
  ajv.addFormat('int64', { type: 'number', validate: value => Math.abs(value) <= 2 ** 63 })
  const schemas = Object.entries(document.components.schemas).map(([name, schema]) => [
    name,
    'properties' in schema ? { ...schema, additionalProperties: false } : schema,
  ])
  ajv.addSchema({ $id: 'openapi', components: { schemas: Object.fromEntries(schemas) } })
  return ajv
}
