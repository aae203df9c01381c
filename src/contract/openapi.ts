import { ERROR_CODES } from './errors.ts'
import { announcementOf, guide } from './guide.ts'
import { DEPRECATION_LINK, HEADERS, REQUEST_HEADERS, type RequestHeaderName } from './headers.ts'
import { LIMIT_MAX } from './limits.ts'
import { type Json, ref, responsesOf, sharedResponses } from './openapi-responses.ts'
import {
  type BodyName,
  OPERATION_IDS,
  OPERATIONS,
  type Operation,
  type OperationId,
  VERSION,
} from './operations.ts'
import { type Field, NEW_PET_FIELDS, PET_FIELDS, PET_STATUSES } from './pet.ts'
import { ENVIRONMENTS, type Environment } from './servers.ts'

export interface Parameter {
  readonly name: string
  readonly in: 'path' | 'query' | 'header'
  readonly required?: true
  readonly description: string
  readonly schema: Json
  readonly example?: unknown
}

export interface ObjectSchema {
  readonly type: 'object'
  readonly description: string
  readonly required: readonly string[]
  readonly properties: Readonly<Record<string, Json>>
}

/** What a service adds to the contract. */
export interface Surroundings {
  readonly servers: Readonly<Partial<Record<Environment, string | undefined>>>
  /** Where the reference is served, relative to the document; undefined if it is not. */
  readonly reference?: string | undefined
  readonly samplesOf?: (id: OperationId) => readonly Json[]
}

/** The OpenAPI 3.1 document. */
export const openApi = ({ servers, reference, samplesOf }: Surroundings): Json => ({
  openapi: '3.1.0',
  info: {
    title: 'Petstore',
    version: VERSION,
    description: guide(),
    contact: { name: 'Support', url: 'https://github.com/petstore/petstore/issues' },
    license: { name: 'MIT', identifier: 'MIT' },
  },
  ...(reference !== undefined && {
    externalDocs: { description: 'Reference', url: reference },
  }),
  servers: ENVIRONMENTS.flatMap(name => {
    const url = servers[name]
    return url === undefined ? [] : [{ url, description: labelOf(name, url) }]
  }),
  security: [{ ApiKey: [] }],
  tags: [
    {
      name: 'pets',
      description: "The store's animals. Once added, they cannot be changed or removed.",
    },
  ],
  paths: paths(samplesOf),
  components: {
    securitySchemes: {
      ApiKey: { type: 'http', scheme: 'bearer', description: 'An API key.' },
    },
    schemas: schemas(),
    parameters: Object.fromEntries(SHARED_PARAMETERS.map(name => [name, headerParameter(name)])),
    responses: sharedResponses(reference),
    headers: { ...HEADERS, DeprecationLink: DEPRECATION_LINK },
  },
})

/** Nobody should mistake a loopback address for a public server. */
function labelOf(environment: Environment, url: string): string {
  const name = `${environment[0]?.toUpperCase()}${environment.slice(1)}`
  return /^https?:\/\/(127\.|localhost\b|\[::1\])/.test(url) ? `${name}, on this machine` : name
}

/** The format implies the bounds. Generated JavaScript would round them if they were numbers, and accept 2^63. */
const INT64 = { type: 'integer', format: 'int64' }
const KINDS = { int64: INT64, text: { type: 'string' }, status: ref('schemas', 'PetStatus') }
const REX = Object.fromEntries(PET_FIELDS.map(({ name, example }) => [name, example]))
/** Its category is above 2^53, but even, so that no tool that reads the document as doubles shows another number. */
const MIA = { ...REX, id: 2, name: 'Mia', categoryId: 9007199254740994 }
const BO = { ...REX, id: 5, name: 'Bo', categoryId: 3 }
const toAdd = ({ id: _, ...pet }: Json): Json => pet

/** An example of each body. */
export const EXAMPLES: Readonly<Record<BodyName, unknown>> = {
  Pet: REX,
  Pets: [REX, MIA, BO],
  NewPet: toAdd(REX),
}

const NAMED_EXAMPLES: Readonly<Record<BodyName, Json>> = {
  Pet: { Animal: { value: REX } },
  Pets: { SeveralAnimals: { value: EXAMPLES.Pets } },
  NewPet: { Animal: { value: toAdd(REX) }, LargeInteger: { value: toAdd(MIA) } },
}

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
      ? 'An animal to add. The service assigns its `id` and ignores other fields.'
      : 'An animal in the store.',
    required: fields.filter(field => field.default === undefined).map(field => field.name),
    properties: Object.fromEntries(fields.map(field => [field.name, fieldSchema(field, isNew)])),
  }
}

function fieldSchema({ kind, schema, example, rule, ...field }: Field, isNew: boolean): Json {
  const description = isNew && rule !== undefined ? `${field.description} ${rule}` : field.description
  if (isNew && field.default !== undefined)
    return { ...KINDS[kind], description: description.replace(/\.$/, `; \`${field.default}\` if omitted.`) }
  return { ...KINDS[kind], description, ...schema, examples: [example] }
}

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
        description:
          'Stable and machine-readable; later releases may add codes. `route_not_found`, `method_not_allowed` and `malformed_request` belong to no operation.',
        'x-extensible-enum': ERROR_CODES,
      },
      message: { type: 'string', description: 'Human-readable explanation of what was wrong, and where.' },
      status: { type: 'integer', description: 'The HTTP status code.', minimum: 400, maximum: 599 },
    },
  },
})

function paths(samplesOf: Surroundings['samplesOf']): Json {
  const byPath: Record<string, Json> = {}
  for (const id of OPERATION_IDS) {
    const { path, method }: Operation = OPERATIONS[id]
    const described = describeOperation(id, OPERATIONS[id])
    byPath[path] = {
      parameters: [ref('parameters', 'X-Request-Id')],
      ...byPath[path],
      [method.toLowerCase()]: { ...described, ...(samplesOf && { 'x-codeSamples': samplesOf(id) }) },
    }
  }
  return byPath
}

function describeOperation(operationId: OperationId, operation: Operation): Json {
  const { summary, description, deprecated, body, success } = operation
  return {
    operationId,
    tags: ['pets'],
    summary,
    description: deprecated
      ? `${description} Deprecated: ${announcementOf(deprecated)}. ${deprecated.difference}`
      : description,
    ...(deprecated && { deprecated: true, 'x-sunset': deprecated.sunset.toISOString().slice(0, 10) }),
    parameters: parametersOf(operation).map(parameter =>
      SHARED_PARAMETERS.some(name => name === parameter.name) ? ref('parameters', parameter.name) : parameter,
    ),
    ...(body && { requestBody: { required: true, content: jsonContent(body) } }),
    responses: responsesOf(operation, jsonContent(success.body)),
  }
}

const jsonContent = (body: BodyName): Json => ({
  'application/json': { schema: ref('schemas', body), examples: NAMED_EXAMPLES[body] },
})

/** Parameters of more than one operation. */
const SHARED_PARAMETERS = ['If-None-Match', 'If-Match', 'X-Request-Id'] as const

const headerParameter = (name: RequestHeaderName): Parameter => ({
  name,
  in: 'header',
  ...REQUEST_HEADERS[name],
})

/** The parameters of an operation; every operation also accepts an X-Request-Id. */
export function parametersOf({ pathParameter, query, requestHeaders }: Operation): Parameter[] {
  const inQuery = Object.entries<Omit<Parameter, 'name' | 'in'>>(query ?? {}).map(
    ([name, parameter]): Parameter => ({ name, in: 'query', ...parameter }),
  )
  const headers = requestHeaders.map(headerParameter)
  if (pathParameter === undefined) return [...inQuery, ...headers]
  return [{ in: 'path', required: true, ...pathParameter, schema: INT64 }, ...inQuery, ...headers]
}
