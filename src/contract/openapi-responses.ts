import { ERRORS, type ErrorCode, type ErrorKind, exampleOf } from './errors.ts'
import type { HeaderName } from './headers.ts'
import { OPERATION_IDS, OPERATIONS, type Operation } from './operations.ts'

export type Json = { readonly [name: string]: unknown }

export const ref = (kind: 'schemas' | 'responses' | 'headers' | 'parameters', name: string): Json => ({
  $ref: `#/components/${kind}/${name}`,
})

export const NOT_MODIFIED = 'Not modified: the `ETag` sent still matches.'

/** An operation's responses by status: its success, with this content, and all others by reference. */
export function responsesOf(operation: Operation, content: Json): Json {
  const { success, errors, deprecated } = operation
  const headers = {
    ...headerRefs(...LIMITED, ...success.headers),
    ...(deprecated && deprecationRefs()),
  }
  return {
    [success.status]: { description: success.description, headers, content },
    ...(isConditional(operation) && { 304: ref('responses', 'NotModified') }),
    ...Object.fromEntries(
      byStatus(errors).map(([status, codes]) => [
        KEYS[status] ?? status,
        ref('responses', nameOfErrors(status, codes)),
      ]),
    ),
  }
}

/**
 * Prism's mock returns a listed 422 for every invalid request, even if there is a 400, which is what the service returns. The
 * `default` comes after the 400.
 */
const KEYS: Readonly<Record<number, string>> = { [ERRORS.idempotency_key_reused.status]: 'default' }

const isConditional = ({ requestHeaders }: Operation): boolean => requestHeaders.includes('If-None-Match')

const LIMITED: readonly HeaderName[] = ['RateLimit', 'RateLimit-Policy']

/** The responses that operations refer to. `reference` is the page that explains the errors, if it is served. */
export function sharedResponses(reference: string | undefined): Json {
  const operations: readonly Operation[] = OPERATION_IDS.map(id => OPERATIONS[id])
  // As the 200s of the two reads. The Link of a list leads to its next page, that of the deprecated one to its documentation.
  const notModified = { ...deprecationRefs(), ...headerRefs('ETag', 'Link') }
  const errors = operations.flatMap(operation =>
    byStatus(operation.errors).map(([status, codes]) => [nameOfErrors(status, codes), codes] as const),
  )
  return {
    NotModified: { description: NOT_MODIFIED, headers: notModified },
    ...Object.fromEntries(errors.map(([name, codes]) => [name, errorResponse(codes, reference)])),
  }
}

/** Names of responses with more than one code, by status. */
const SHARED_NAMES: Readonly<Record<number, string>> = { 400: 'InvalidRequest', 401: 'Unauthorized' }

const nameOfErrors = (status: number, [first = 'internal_error', ...more]: readonly ErrorCode[]): string =>
  (more.length > 0 && SHARED_NAMES[status]) ||
  first.replaceAll(/(?:^|_)(\w)/g, (_, letter: string) => letter.toUpperCase())

export const byStatus = (codes: readonly ErrorCode[]): [number, ErrorCode[]][] => [
  ...Map.groupBy(codes, code => ERRORS[code].status as number),
]

/** Codes with the same status have the same headers. */
export const headersOfErrors = ([code = 'internal_error']: readonly ErrorCode[]): HeaderName[] =>
  Object.keys((ERRORS[code] as ErrorKind).headers ?? {}) as HeaderName[]

const headerRefs = (...names: readonly HeaderName[]): Json =>
  Object.fromEntries(['X-Request-Id', ...names].map(name => [name, ref('headers', name)]))

const deprecationRefs = (): Json => ({
  ...headerRefs('Deprecation', 'Sunset'),
  Link: ref('headers', 'DeprecationLink'),
})

function errorResponse(codes: readonly ErrorCode[], reference: string | undefined): Json {
  const isLimit = codes.includes('rate_limited')
  const bodies = codes.map(code => ({ code, message: exampleOf(code), status: ERRORS[code].status }))
  const examples = Object.fromEntries(bodies.map(value => [value.code, { value }]))
  return {
    description: meaningOf(codes, reference),
    headers: {
      ...headerRefs(...(isLimit ? LIMITED : []), ...headersOfErrors(codes)),
      ...(codes.some(code => ANNOUNCED.includes(ERRORS[code].status)) && deprecationRefs()),
    },
    content: { 'application/json': { schema: ref('schemas', 'Error'), examples } },
  }
}

/**
 * Errors that list the headers of a deprecated operation, although other operations share some of these responses. Each list takes
 * 160 bytes, so the rarer errors leave it out.
 */
const ANNOUNCED: readonly number[] = [401, 404, 412]

function meaningOf(codes: readonly ErrorCode[], reference: string | undefined): string {
  const linked = (code: ErrorCode) =>
    reference === undefined ? `\`${code}\`` : `[${code}](${reference}#errors-${code})`
  // A default does not show its status.
  const statusOf = (status: number) => (status in KEYS ? `${status} ` : '')
  const meanings = codes.map(code => `${statusOf(ERRORS[code].status)}${linked(code)}: ${ERRORS[code].when}`)
  return meanings.length === 1 ? `${meanings}` : meanings.map(line => `- ${line}`).join('\n')
}
