import { ERRORS, type ErrorCode, type ErrorKind, exampleOf } from './errors.ts'
import type { HeaderName } from './headers.ts'
import { OPERATION_IDS, OPERATIONS, type Operation } from './operations.ts'

export type Json = { readonly [name: string]: unknown }

export const ref = (kind: 'schemas' | 'responses' | 'headers', name: string): Json => ({
  $ref: `#/components/${kind}/${name}`,
})

export const NOT_MODIFIED = 'Not modified: the `ETag` sent still matches. Its headers are those of the 200.'

/** An operation's responses by status: its success, with this content, and all others by reference. */
export function responsesOf({ method, success, errors, deprecated }: Operation, content: Json): Json {
  const headers = {
    ...headerRefs(['X-Request-Id', 'RateLimit', 'RateLimit-Policy', ...success.headers]),
    ...(deprecated && headerRefs(['Deprecation', 'Sunset'])),
    ...(deprecated && { Link: ref('headers', 'DeprecationLink') }),
  }
  return {
    [success.status]: { description: success.description, headers, content },
    ...(method === 'GET' && { 304: ref('responses', 'NotModified') }),
    ...Object.fromEntries(
      byStatus(errors).map(([status, codes]) => [status, ref('responses', nameOfErrors(status, codes))]),
    ),
  }
}

/** The responses that operations refer to. */
export const sharedResponses = (): Json => ({
  NotModified: { description: NOT_MODIFIED, headers: headerRefs(['ETag']) },
  ...Object.fromEntries(
    OPERATION_IDS.flatMap(id => byStatus(OPERATIONS[id].errors)).map(([status, codes]) => [
      nameOfErrors(status, codes),
      errorResponse(codes),
    ]),
  ),
})

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

const headerRefs = (names: readonly HeaderName[]): Json =>
  Object.fromEntries(names.map(name => [name, ref('headers', name)]))

function errorResponse(codes: readonly ErrorCode[]): Json {
  const headers = headersOfErrors(codes)
  const [first = 'internal_error'] = codes
  const example = { code: first, message: exampleOf(first), status: ERRORS[first].status }
  return {
    description: codes.map(code => `\`${code}\`: ${ERRORS[code].when}`).join('\n\n'),
    ...(headers.length > 0 && { headers: headerRefs(headers) }),
    content: { 'application/json': { schema: ref('schemas', 'Error'), example } },
  }
}
