import document from '../../../openapi.json'
import { HEADERS } from '../../../src/contract/headers.ts'
import type { Answer } from './answer.ts'
import { problems, type Schema } from './schema.ts'

interface Described {
  readonly content?: { readonly 'application/json': { readonly schema: Schema } }
  readonly headers: Record<string, unknown>
}

interface Operation {
  readonly deprecated?: true
  readonly responses: Record<string, Described | { readonly $ref: string }>
}

const PATHS = document.paths as unknown as Record<string, Record<string, Operation>>
const SHARED = document.components.responses as Record<string, Described>
/** Every response of a deprecated operation carries them, as the guide says; the shared ones of errors do not name them. */
const DEPRECATION_HEADERS = { Deprecation: {}, Sunset: {}, Link: {} }
const HEADERS_OF_THE_INTERFACE = Object.keys(HEADERS)
/** Below the version prefix, but not an operation of the description. */
const NO_OPERATION: Described = {
  content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
  headers: {
    'X-Request-Id': { $ref: '#/components/headers/X-Request-Id' },
    'WWW-Authenticate': {},
    'Cache-Control': {},
    Allow: {},
    Deprecation: {},
    Sunset: {},
    Link: {},
  },
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
  const described = operation.responses[String(status)] ?? (status === 400 ? NO_OPERATION : undefined)
  const response =
    described && '$ref' in described
      ? SHARED[described.$ref.replace('#/components/responses/', '')]
      : described
  return response && operation.deprecated
    ? { ...response, headers: { ...DEPRECATION_HEADERS, ...response.headers } }
    : response
}

function broken(answer: Answer, described: Described): string[] {
  // The no-store of errors is plain HTTP and not part of the interface.
  const isError = answer.status >= 400
  const undescribed = HEADERS_OF_THE_INTERFACE.filter(
    name =>
      answer.headers.has(name) &&
      !(isError && name === 'Cache-Control') &&
      described.headers[name] === undefined,
  )
  const found = undescribed.map(name => `the header ${name} is not described`)
  for (const name of Object.keys(described.headers))
    if (isRequired(described.headers[name]) && !answer.headers.has(name)) found.push(`${name} is missing`)
  return found
}

function isRequired(header: unknown): boolean {
  const { $ref = '' } = header as { readonly $ref?: string }
  const named = document.components.headers as Record<string, { readonly required?: boolean }>
  return named[$ref.replace('#/components/headers/', '')]?.required ?? false
}

function brokenBody(answer: Answer, described: Described | undefined): string[] {
  const schema = described?.content?.['application/json'].schema
  if (schema === undefined) return ['a body is not described']
  const found = problems(JSON.parse(answer.text), schema)
  if (answer.headers.get('content-type') !== 'application/json')
    found.push('the body is not application/json')
  if (answer.status >= 400 && answer.error.status !== answer.status) found.push('the statuses differ')
  return found
}
