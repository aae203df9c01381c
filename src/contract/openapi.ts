import { ERROR_CODES, ERRORS, type ErrorCode, type ErrorKind, exampleOf } from './errors.ts'
import { announcementOf, guide } from './guide.ts'
import { DEPRECATION_LINK, HEADERS, type HeaderName } from './headers.ts'
import { LIMIT_MAX } from './limits.ts'
import {
  type BodyName,
  OPERATION_IDS,
  OPERATIONS,
  type Operation,
  type OperationId,
  VERSION,
} from './operations.ts'
import { type Field, NEW_PET_FIELDS, PET_FIELDS, PET_STATUSES } from './pet.ts'
import { DEFAULT_SERVERS, serverList } from './servers.ts'

export type Json = { readonly [name: string]: unknown }

const ref = (kind: 'schemas' | 'responses' | 'headers', name: string): Json => ({
  $ref: `#/components/${kind}/${name}`,
})

export interface ObjectSchema {
  readonly type: 'object'
  readonly description: string
  readonly required: readonly string[]
  readonly properties: Readonly<Record<string, Json>>
}

/** The OpenAPI 3.1 document, as openapi.json contains it. The service lists the servers that it knows instead. */
export const openApi = (): Json => ({
  openapi: '3.1.0',
  info: {
    title: 'Petstore',
    version: VERSION,
    description: guide(),
    license: { name: 'MIT', identifier: 'MIT' },
  },
  servers: serverList(DEFAULT_SERVERS),
  security: [{ ApiKey: [] }],
  tags: [
    {
      name: 'pets',
      description: "The store's animals. Once added, they cannot be changed or removed.",
    },
  ],
  paths: paths(),
  components: {
    securitySchemes: {
      ApiKey: { type: 'http', scheme: 'bearer', description: 'An API key.' },
    },
    schemas: schemas(),
    responses: sharedResponses(),
    headers: { ...HEADERS, DeprecationLink: DEPRECATION_LINK },
  },
})

/** The format implies the bounds. Generated JavaScript would round them if they were numbers, and accept 2^63. */
const INT64 = { type: 'integer', format: 'int64' }
const KINDS = { int64: INT64, text: { type: 'string' }, status: ref('schemas', 'PetStatus') }
const REX: Json = Object.fromEntries(PET_FIELDS.map(({ name, example }) => [name, example]))
/** Its category is above 2^53, but even, so that no tool that reads the document as doubles shows another number. */
const MIA = { ...REX, id: 2, name: 'Mia', categoryId: 9007199254740994 }
const { id: _, ...NEW_REX } = REX

/** An example of each body. */
export const EXAMPLES = { Pet: REX, Pets: [REX, MIA], NewPet: NEW_REX }

export const PET_STATUS_SCHEMA = {
  type: 'string',
  enum: PET_STATUSES,
  description: 'Availability status of an animal.',
}

/** The schema of an animal, or of each animal in a list. */
export function petSchema(name: BodyName): ObjectSchema {
  const isNew = name === 'NewPet'
  const fields = isNew ? NEW_PET_FIELDS : PET_FIELDS
  return {
    type: 'object',
    description: isNew
      ? 'An animal to add. The service assigns its `id` and ignores other fields.'
      : 'An animal in the store.',
    required: fields.filter(field => field.default === undefined).map(field => field.name),
    properties: Object.fromEntries(fields.map(field => [field.name, fieldSchema(field, isNew)])),
  }
}

/** Without the default as a keyword: beside a `$ref`, generators make it a field that must be sent. */
const fieldSchema = ({ kind, schema, description, rule }: Field, isNew: boolean): Json => ({
  ...KINDS[kind],
  description: isNew && rule !== undefined ? `${description} ${rule}` : description,
  ...schema,
})

const schemas = (): Json => ({
  Pet: petSchema('Pet'),
  NewPet: petSchema('NewPet'),
  Pets: {
    type: 'array',
    description: 'A page of animals.',
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
        description: 'Stable and machine-readable; later releases may add codes.',
        'x-extensible-enum': ERROR_CODES,
      },
      message: { type: 'string', description: 'Human-readable explanation of what was wrong, and where.' },
      status: { type: 'integer', description: 'The HTTP status code.', minimum: 400, maximum: 599 },
    },
  },
})

function paths(): Json {
  const byPath: Record<string, Json> = {}
  for (const id of OPERATION_IDS) {
    const { path, method } = OPERATIONS[id]
    byPath[path] = { ...byPath[path], [method.toLowerCase()]: describeOperation(id, OPERATIONS[id]) }
  }
  return byPath
}

function describeOperation(operationId: OperationId, operation: Operation): Json {
  const { summary, description, deprecated, parameters, body, success } = operation
  return {
    operationId,
    tags: ['pets'],
    summary,
    description: deprecated
      ? `${description} Deprecated: ${announcementOf(deprecated)}. ${deprecated.difference}`
      : description,
    ...(deprecated && { deprecated: true, 'x-sunset': deprecated.sunset.toISOString().slice(0, 10) }),
    parameters,
    ...(body && { requestBody: { required: true, content: jsonContent(body) } }),
    responses: responsesOf(operation, jsonContent(success.body)),
  }
}

const jsonContent = (body: BodyName): Json => ({
  'application/json': { schema: ref('schemas', body), example: EXAMPLES[body] },
})

export const NOT_MODIFIED = 'Not modified: the `ETag` sent still matches. Its headers are those of the 200.'

/** An operation's responses by status: its success, with this content, and all others by reference. */
function responsesOf({ method, success, errors, deprecated }: Operation, content: Json): Json {
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
const sharedResponses = (): Json => ({
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
