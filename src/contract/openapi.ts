import { z } from 'zod'
import { ERRORS, ErrorBody, type ErrorCode } from './errors.ts'
import { guide } from './guide.ts'
import { HEADERS, type HeaderName } from './headers.ts'
import { OPERATIONS, type Operation, VERSION } from './operations.ts'
import { NewPet, Pet, PetStatus, Pets } from './pet.ts'
import type { Servers } from './servers.ts'

type Json = { [name: string]: unknown }

const SECURITY_SCHEME = 'ApiKey'
const EXAMPLE_PET = { id: 1, name: 'Rex', categoryId: 7, status: 'available' }
const { id: _assigned, ...EXAMPLE_NEW_PET } = EXAMPLE_PET
const EXAMPLES = new Map<z.ZodType, unknown>([
  [Pet, EXAMPLE_PET],
  [Pets, [EXAMPLE_PET]],
  [NewPet, EXAMPLE_NEW_PET],
])

/** The OpenAPI 3.1 description, generated from the contract. */
export function openApi(servers: Servers): Json {
  return {
    openapi: '3.1.0',
    info: {
      title: 'Petstore',
      version: VERSION,
      description: guide(),
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [
      { url: servers.production, description: 'Production' },
      { url: servers.staging, description: 'Staging' },
    ],
    security: [{ [SECURITY_SCHEME]: [] }],
    tags: [{ name: 'pets', description: "The store's animals." }],
    paths: paths(),
    components: {
      securitySchemes: {
        [SECURITY_SCHEME]: {
          type: 'http',
          scheme: 'bearer',
          description: 'An API key: `pets_live_…` in production, `pets_test_…` in staging.',
        },
      },
      schemas: schemas(),
      headers: Object.fromEntries(Object.entries(HEADERS).map(([name, about]) => [name, header(about)])),
    },
  }
}

function paths(): Json {
  const byPath: Record<string, Json> = {}
  for (const [operationId, operation] of Object.entries<Operation>(OPERATIONS)) {
    byPath[operation.path] ??= {}
    Object.assign(byPath[operation.path] as Json, {
      [operation.method.toLowerCase()]: describe(operationId, operation),
    })
  }
  return byPath
}

function describe(operationId: string, operation: Operation): Json {
  return {
    operationId,
    tags: ['pets'],
    summary: operation.summary,
    description: operation.description,
    ...(operation.deprecated && {
      deprecated: true,
      'x-sunset': operation.deprecated.sunset.toISOString().slice(0, 10),
    }),
    parameters: parameters(operation),
    ...(operation.body && { requestBody: { required: true, content: json(operation.body) } }),
    responses: responses(operation),
  }
}

function parameters(operation: Operation): Json[] {
  const found: Json[] = []
  if (operation.pathParameter)
    found.push({
      name: operation.pathParameter.name,
      in: 'path',
      required: true,
      description: operation.pathParameter.description,
      schema: { type: 'integer', format: 'int64' },
    })
  for (const [name, schema] of Object.entries(operation.query?.shape ?? {})) {
    const { description, ...rest } = jsonSchema(schema as z.ZodType)
    found.push({ name, in: 'query', required: false, description, schema: rest })
  }
  if (operation.method === 'POST')
    found.push({
      name: 'Idempotency-Key',
      in: 'header',
      required: false,
      description: 'Makes a repeat safe: the same key within 24 hours adds the animal once.',
      schema: { type: 'string', minLength: 1, maxLength: 255 },
    })
  if (operation.method === 'GET')
    found.push({
      name: 'If-None-Match',
      in: 'header',
      required: false,
      description: 'An `ETag` of an earlier answer; 304 when it still holds.',
      schema: { type: 'string' },
    })
  return found
}

function responses(operation: Operation): Json {
  const { status, description, schema } = operation.success
  const always: HeaderName[] = [
    'X-Request-Id',
    ...RATE_LIMIT_HEADERS,
    ...(operation.deprecated ? DEPRECATION_HEADERS : []),
  ]
  const answers: Record<string, Json> = {
    [status]: {
      description,
      headers: headers([
        ...always,
        ...(operation.method === 'GET' ? READ_HEADERS : CREATE_HEADERS),
        ...linkOf(operation),
      ]),
      content: json(schema),
    },
  }
  if (operation.method === 'GET')
    answers['304'] = {
      description: 'Not modified: the `ETag` sent still holds.',
      headers: headers([...always, ...READ_HEADERS, ...linkOf(operation)]),
    }
  for (const code of operation.errors) addError(answers, code, always)
  return answers
}

const RATE_LIMIT_HEADERS: HeaderName[] = ['RateLimit-Policy', 'RateLimit']
const DEPRECATION_HEADERS: HeaderName[] = ['Deprecation', 'Sunset', 'Link']
const READ_HEADERS: HeaderName[] = ['ETag', 'Cache-Control']
const CREATE_HEADERS: HeaderName[] = ['Location', 'Idempotent-Replayed']
const ERROR_HEADERS: Record<number, HeaderName> = {
  401: 'WWW-Authenticate',
  405: 'Allow',
  409: 'Retry-After',
  429: 'Retry-After',
  503: 'Retry-After',
}
const linkOf = (operation: Operation): HeaderName[] => (operation.query ? ['Link'] : [])

function addError(answers: Record<string, Json>, code: ErrorCode, always: HeaderName[]): void {
  const { status, when, example } = ERRORS[code]
  const known = answers[status]
  const own = ERROR_HEADERS[status]
  const named = { [code]: { summary: when, value: { code, message: example, status } } }
  if (known === undefined) {
    answers[status] = {
      description: when,
      headers: headers([...always, ...(own ? [own] : [])]),
      content: { 'application/json': { schema: ref('Error'), examples: named } },
    }
    return
  }
  const content = known.content as { 'application/json': { examples: Json } }
  Object.assign(content['application/json'].examples, named)
  known.description = `${known.description} ${when}`
}

const ref = (id: string): Json => ({ $ref: `#/components/schemas/${id}` })

const json = (schema: z.ZodType): Json => ({
  'application/json': { schema: jsonSchema(schema), example: EXAMPLES.get(schema) },
})

const header = (description: string): Json => ({ description, schema: { type: 'string' } })

const headers = (names: readonly HeaderName[]): Json =>
  Object.fromEntries(names.map(name => [name, { $ref: `#/components/headers/${name}` }]))

function schemas(): Json {
  const named = z.registry<{ id: string }>()
  const all = { Pet, NewPet, Pets, PetStatus, Error: ErrorBody }
  for (const [id, schema] of Object.entries(all)) named.add(schema, { id })
  const { schemas: found } = z.toJSONSchema(named, {
    ...JSON_SCHEMA,
    uri: id => `#/components/schemas/${id}`,
  })
  return Object.fromEntries(Object.keys(all).map(id => [id, withoutIdentity(found[id] as Json)]))
}

function jsonSchema(schema: z.ZodType): Json {
  const { $defs: _named, ...rest } = z.toJSONSchema(schema, JSON_SCHEMA) as Json
  return JSON.parse(JSON.stringify(withoutIdentity(rest)).replaceAll('#/$defs/', '#/components/schemas/'))
}

function withoutIdentity({ $schema: _schema, $id: _id, id: _name, ...rest }: Json): Json {
  return rest
}

/** JSON has one kind of number, so a bigint is described as what it is on the wire: an int64. */
const JSON_SCHEMA: z.core.ToJSONSchemaParams = {
  io: 'input',
  unrepresentable: 'any',
  override: ({ zodSchema, jsonSchema }) => {
    if (zodSchema._zod.def.type === 'bigint') Object.assign(jsonSchema, { type: 'integer', format: 'int64' })
  },
}
