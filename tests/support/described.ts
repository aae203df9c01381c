import Ajv2020 from 'ajv/dist/2020.js'
import document from '../../openapi.json'
import { HEADERS } from '../../src/contract/headers.ts'
import type { Answer } from './http.ts'

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
/** Every response of a deprecated operation carries them, as the guide says; the shared ones do not name them. */
const DEPRECATION_HEADERS = { Deprecation: {}, Sunset: {}, Link: {} }
/** Below the version prefix, but not an operation of the description. */
const NO_OPERATION: Described = {
  content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
  headers: { 'WWW-Authenticate': {}, Allow: {}, ...DEPRECATION_HEADERS },
}

/** Throws unless openapi.json describes this answer: its status, the shape of its body, its headers. */
export function assertDescribed(method: string, target: string, answer: Answer): void {
  const described = descriptionOf(method, target, answer.status)
  const found = described === undefined ? [`${answer.status} is not described`] : broken(answer, described)
  if (method === 'HEAD' && answer.text !== '') found.push('HEAD must have no body')
  else if (method !== 'HEAD' && answer.text !== '') found.push(...brokenBody(answer, described))
  if (found.length > 0)
    throw new Error(
      `openapi.json does not describe ${method} ${target} → ${answer.text}: ${found.join('; ')}`,
    )
}

function descriptionOf(method: string, target: string, status: number): Described | undefined {
  const path = (target.split('?', 1)[0] ?? '').replace(/^\/v1/, '').replace(/^(\/pets)\/[^/]+$/, '$1/{petId}')
  const item = PATHS[path]
  if (item === undefined) return status === 401 || status === 404 ? NO_OPERATION : undefined
  const operation = item[method === 'HEAD' ? 'get' : method.toLowerCase()]
  // A method that is not served has no operation.
  if (operation === undefined) return status === 401 || status === 405 ? NO_OPERATION : undefined
  // Any request may be malformed, so no operation names it.
  const named = operation.responses[String(status)] ?? (status === 400 ? NO_OPERATION : undefined)
  const described = named && '$ref' in named ? SHARED[last(named.$ref)] : named
  if (described === undefined || !operation.deprecated) return described
  return { ...described, headers: { ...DEPRECATION_HEADERS, ...described.headers } }
}

const last = (reference: string): string => reference.split('/').at(-1) ?? ''

function broken({ status, headers }: Answer, { headers: own = {} }: Described): string[] {
  // By the guide: a request id on every response. A 304 has the headers of the 200 (RFC 9110).
  const isThere = (name: string): boolean => name in own || name === 'X-Request-Id' || status === 304
  const extra = Object.keys(HEADERS).filter(name => headers.has(name) && !isThere(name))
  const missing = Object.entries(own).filter(([, { $ref = '' }]) => NAMED[last($ref)]?.required)
  return [
    ...extra.map(name => `the header ${name} is not described`),
    ...['X-Request-Id', ...missing.map(([name]) => name)]
      .filter(name => !headers.has(name))
      .map(name => `${name} is missing`),
  ]
}

function brokenBody(answer: Answer, described: Described | undefined): string[] {
  const schema = described?.content?.['application/json'].schema
  if (schema === undefined) return ['a body is not described']
  const found = problems(JSON.parse(answer.text), schema)
  if (answer.headers.get('content-type') !== 'application/json')
    found.push('the body is not application/json')
  return answer.status < 400 ? found : [...found, ...brokenError(answer)]
}

function* brokenError({ status, headers, error }: Answer): Generator<string> {
  if (error.status !== status) yield 'the statuses differ'
  if (headers.get('cache-control') !== 'no-store') yield 'an error may be stored'
  if (!/^[A-Z].*\.$/.test(error.message)) yield 'the message is not a sentence'
  if (/<(script|img)/.test(error.message)) yield 'the message repeats what could be markup'
  if (/sqlite|postgres|\.ts\b|\/src|bun\b/i.test(error.message)) yield 'the message tells something internal'
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
