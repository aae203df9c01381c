import { ERROR_CODES, ERRORS, type ErrorCode, type ErrorKind, exampleOf } from './errors.ts'
import { guide } from './guide.ts'
import { DEPRECATION_LINK, HEADERS, type HeaderName, REQUEST_HEADERS } from './headers.ts'
import { LIMIT_MAX } from './limits.ts'
import { type BodyName, dayOf, OPERATION_IDS, OPERATIONS, type Operation, VERSION } from './operations.ts'
import { type Field, NEW_PET_FIELDS, PET_FIELDS, PET_STATUSES } from './pet.ts'
import { ENVIRONMENTS, type Environment } from './servers.ts'

export type Json = { readonly [name: string]: unknown }

export interface Parameter {
  readonly name: string
  readonly in: 'path' | 'query' | 'header'
  readonly required?: true
  readonly description: string
  readonly schema: Json
  readonly example: unknown
}

export interface ObjectSchema {
  readonly type: 'object'
  readonly description: string
  readonly required: readonly string[]
  readonly properties: Readonly<Record<string, Json>>
}

/**
 * The OpenAPI 3.1 document, which lists the known servers. Only its guide describes the headers that every response carries:
 * `X-Request-Id`, rate limits, and the deprecation headers of errors.
 */
export const openApi = (servers: Readonly<Partial<Record<Environment, string | undefined>>>): Json => ({
  openapi: '3.1.0',
  info: {
    title: 'Petstore',
    version: VERSION,
    description: guide(),
    license: { name: 'MIT', identifier: 'MIT' },
  },
  servers: ENVIRONMENTS.flatMap(name => {
    const url = servers[name]
    return url === undefined ? [] : [{ url, description: `${name[0]?.toUpperCase()}${name.slice(1)}` }]
  }),
  security: [{ ApiKey: [] }],
  tags: [{ name: 'pets', description: "The store's animals." }],
  paths: paths(),
  components: {
    securitySchemes: { ApiKey: { type: 'http', scheme: 'bearer', description: 'An API key.' } },
    schemas: schemas(),
    responses: {
      NotModified: { description: NOT_MODIFIED, headers: headerRefs(['ETag']) },
      ...errorResponses(),
    },
    headers: { ...HEADERS, DeprecationLink: DEPRECATION_LINK },
  },
})

const ref = (kind: 'schemas' | 'responses' | 'headers', name: string): Json => ({
  $ref: `#/components/${kind}/${name}`,
})

/** The format implies the bounds. Generated JavaScript would round them if they were numbers, and accept 2^63. */
const INT64 = { type: 'integer', format: 'int64' }
const KINDS = { int64: INT64, text: { type: 'string' }, status: ref('schemas', 'PetStatus') }
const PET = Object.fromEntries(PET_FIELDS.map(({ name, example }) => [name, example]))
const { id: _, ...NEW_PET } = PET

/** An example of each body. */
export const EXAMPLES: Readonly<Record<BodyName, unknown>> = { Pet: PET, Pets: [PET], NewPet: NEW_PET }

export const PET_STATUS_SCHEMA = {
  type: 'string',
  enum: PET_STATUSES,
  description: 'Availability status of an animal.',
  examples: ['available'],
}

/** The schema of an animal, or of each animal in a list. */
export function petSchema(name: BodyName): ObjectSchema {
  const isNew = name === 'NewPet'
  const fields = isNew ? NEW_PET_FIELDS : PET_FIELDS
  return {
    type: 'object',
    description: isNew
      ? 'An animal to add. The service assigns its identifier; other fields are ignored.'
      : 'An animal in the store.',
    required: fields.filter(field => field.default === undefined).map(field => field.name),
    properties: Object.fromEntries(fields.map(field => [field.name, fieldSchema(field, isNew)])),
  }
}

function fieldSchema({ kind, description, schema, example, ...field }: Field, isNew: boolean): Json {
  if (isNew && field.default !== undefined)
    return { ...KINDS[kind], description: description.replace(/\.$/, `; \`${field.default}\` if omitted.`) }
  return { ...KINDS[kind], description, ...schema, examples: [example] }
}

const schemas = (): Json => ({
  Pet: petSchema('Pet'),
  NewPet: petSchema('NewPet'),
  Pets: {
    type: 'array',
    description: 'Animals in ascending order of their identifier.',
    maxItems: LIMIT_MAX,
    items: ref('schemas', 'Pet'),
  },
  PetStatus: PET_STATUS_SCHEMA,
  Error: {
    type: 'object',
    description: 'The body of every error response.',
    required: ['code', 'message', 'status'],
    properties: {
      code: {
        type: 'string',
        description:
          'Stable, machine-readable error code. Later releases may add codes; handle an unknown code by its status. Any URL can return `route_not_found`, `method_not_allowed` or `malformed_request`, so operations do not list them.',
        'x-extensible-enum': ERROR_CODES,
        examples: ['invalid_body'],
      },
      message: {
        type: 'string',
        description: 'Human-readable explanation of what was wrong, and where.',
        examples: [exampleOf('invalid_body')],
      },
      status: {
        type: 'integer',
        description: 'The HTTP status code.',
        minimum: 400,
        maximum: 599,
        examples: [ERRORS.invalid_body.status],
      },
    },
  },
})

function paths(): Json {
  const byPath: Record<string, Json> = {}
  for (const id of OPERATION_IDS) {
    const { path, method }: Operation = OPERATIONS[id]
    byPath[path] = { ...byPath[path], [method.toLowerCase()]: describeOperation(id, OPERATIONS[id]) }
  }
  return byPath
}

function describeOperation(operationId: string, operation: Operation): Json {
  const { summary, description, deprecated, body } = operation
  const notice = deprecated
    ? ` Deprecated: removal is scheduled for ${dayOf(deprecated.sunset)}. Use ${deprecated.replacement} instead.`
    : ''
  return {
    operationId,
    tags: ['pets'],
    summary,
    description: description + notice,
    ...(deprecated && { deprecated: true, 'x-sunset': deprecated.sunset.toISOString().slice(0, 10) }),
    parameters: parametersOf(operation),
    ...(body && { requestBody: { required: true, content: jsonContent(body) } }),
    responses: responsesOf(operation),
  }
}

const jsonContent = (body: BodyName): Json => ({
  'application/json': { schema: ref('schemas', body), example: EXAMPLES[body] },
})

export function parametersOf({ pathParameter, query, requestHeader }: Operation): Parameter[] {
  const inQuery = Object.entries<Omit<Parameter, 'name' | 'in'>>(query ?? {}).map(
    ([name, parameter]): Parameter => ({ name, in: 'query', ...parameter }),
  )
  const header: Parameter = { name: requestHeader, in: 'header', ...REQUEST_HEADERS[requestHeader] }
  if (pathParameter === undefined) return [...inQuery, header]
  return [{ in: 'path', required: true, ...pathParameter, schema: INT64 }, ...inQuery, header]
}

/** An operation's responses by status. All but the success are shared. */
function responsesOf({ requestHeader, success, errors, deprecated }: Operation): Json {
  const headers = {
    ...headerRefs(success.headers),
    ...(deprecated && {
      ...headerRefs(['Deprecation', 'Sunset']),
      Link: ref('headers', 'DeprecationLink'),
    }),
  }
  return {
    [success.status]: { description: success.description, headers, content: jsonContent(success.body) },
    ...(requestHeader === 'If-None-Match' && { 304: ref('responses', 'NotModified') }),
    ...Object.fromEntries(
      byStatus(errors).map(([status, codes]) => [status, ref('responses', responseName(status, codes))]),
    ),
  }
}

export const NOT_MODIFIED = 'Not modified: the `ETag` sent still matches.'

const headerRefs = (names: readonly HeaderName[]): Json =>
  Object.fromEntries(names.map(name => [name, ref('headers', name)]))

export const byStatus = (codes: readonly ErrorCode[]): [number, ErrorCode[]][] => [
  ...Map.groupBy(codes, code => ERRORS[code].status as number),
]

/** Codes with the same status have the same headers. */
export const headersOfErrors = ([code = 'internal_error']: readonly ErrorCode[]): HeaderName[] =>
  Object.keys((ERRORS[code] as ErrorKind).headers ?? {}) as HeaderName[]

/** Names of responses with more than one code, by status. */
const SHARED_NAMES: Readonly<Record<number, string>> = { 400: 'InvalidRequest', 401: 'Unauthorized' }

const responseName = (status: number, [first = 'internal_error', ...more]: readonly ErrorCode[]): string =>
  (more.length > 0 && SHARED_NAMES[status]) ||
  first.replaceAll(/(?:^|_)(\w)/g, (_, letter: string) => letter.toUpperCase())

function errorResponses(): Json {
  const responses: Record<string, Json> = {}
  for (const id of OPERATION_IDS)
    for (const [status, codes] of byStatus(OPERATIONS[id].errors))
      responses[responseName(status, codes)] ??= errorResponse(status, codes)
  return responses
}

function errorResponse(status: number, codes: readonly ErrorCode[]): Json {
  const names = headersOfErrors(codes)
  const sayings = codes.map(code => `\`${code}\`: ${ERRORS[code].when}`)
  const bodies = codes.map(code => ({ code, message: exampleOf(code), status }))
  const examples = Object.fromEntries(bodies.map(value => [value.code, { value }]))
  return {
    description:
      sayings.length === 1 ? sayings[0] : `One of:\n${sayings.map(saying => `- ${saying}`).join('\n')}`,
    ...(names.length > 0 && { headers: headerRefs(names) }),
    content: {
      'application/json': {
        schema: ref('schemas', 'Error'),
        ...(bodies.length === 1 ? { example: bodies[0] } : { examples }),
      },
    },
  }
}
