import { exactNumber } from '../exact-json.ts'
import { guide } from '../guide.ts'
import { OPERATIONS, type Operation, VERSION } from '../operations.ts'
import type { Servers } from '../servers.ts'
import { namedHeaders } from './headers.ts'
import { describeOperation } from './operation.ts'
import type { ErrorSchema } from './responses.ts'
import { type Json, namedSchemas } from './schemas.ts'

const SECURITY_SCHEME = 'ApiKey'

/** The OpenAPI 3.1 description, generated from the contract. Bounds of int64 are bigints in it: see `descriptionText`. */
export function openApi(servers: Servers): Json {
  const schemas = namedSchemas()
  return {
    openapi: '3.1.0',
    info: {
      title: 'Petstore',
      version: VERSION,
      summary: "A store's animals over HTTP with JSON bodies.",
      description: guide(),
      contact: { name: 'The operator of this service' },
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [
      { url: servers.production, description: 'Production' },
      { url: servers.staging, description: 'Staging' },
    ],
    security: [{ [SECURITY_SCHEME]: [] }],
    tags: [{ name: 'pets', description: "The store's animals." }],
    paths: paths(schemas.Error as ErrorSchema),
    components: {
      securitySchemes: {
        [SECURITY_SCHEME]: {
          type: 'http',
          scheme: 'bearer',
          description: 'An API key: `pets_live_…` in production, `pets_test_…` in staging.',
        },
      },
      schemas,
      headers: namedHeaders(),
    },
  }
}

/** As JSON, with bigints to the last digit. */
export const descriptionText = (description: Json, indent?: number): string =>
  JSON.stringify(description, (_, value) => exactNumber(value), indent)

function paths(error: ErrorSchema): Json {
  const byPath: Record<string, Json> = {}
  for (const [operationId, operation] of Object.entries<Operation>(OPERATIONS)) {
    byPath[operation.path] ??= {}
    Object.assign(byPath[operation.path] as Json, {
      [operation.method.toLowerCase()]: describeOperation(operationId, operation, error),
    })
  }
  return byPath
}
