import { z } from 'zod'
import client from '../../client/package.json' with { type: 'json' }
import { ERRORS } from '../../src/contract/errors.ts'
import { LIMIT_MAX, MAX_IDEMPOTENCY_KEY_LENGTH } from '../../src/contract/limits.ts'
import { ListPetsQuery, OPERATIONS } from '../../src/contract/operations.ts'
import { NewPet, PET_STATUSES, Pet, PetStatus } from '../../src/contract/pet.ts'
import { DEFAULT_SERVERS } from '../../src/contract/servers.ts'

/** The part of the contract in the published client, as source text: it may import neither the service nor zod. */
export function clientContract(version: string = client.version): string {
  const statuses = Object.entries(ERRORS).map(
    ([code, { status, when }]) => `  /** ${when} */\n  ${code}: ${status}\n`,
  )
  const operations = Object.entries(OPERATIONS).map(
    ([id, { method, path }]) => `  ${id}: { method: '${method}', path: '${path}' },\n`,
  )
  return `// Generated from the contract of the service by \`npm run openapi\`. Edit the contract, not this file.

/** The version of this package, sent in the User-Agent. */
export const VERSION = '${version}'

export const PET_STATUSES = [${PET_STATUSES.map(status => `'${status}'`).join(', ')}] as const

/** ${PetStatus.meta()?.description} */
export type PetStatus = (typeof PET_STATUSES)[number]

${shape('Pet', Pet, 'output', 'Int64 = bigint')}
${shape('NewPet', NewPet, 'input', 'Int64 = bigint | number | string')}
/** Which animals to list, and how many at a time. */
${shape('ListPetsQuery', ListPetsQuery, 'input')}
/** The HTTP status of each error code. */
export interface ErrorStatuses {
${statuses.join('')}}

export const OPERATIONS = {
${operations.join('')}} as const

/** The name of an operation in the description of the service. */
export type OperationId = keyof typeof OPERATIONS

export const LIMIT_MAX = ${LIMIT_MAX}

export const MAX_IDEMPOTENCY_KEY_LENGTH = ${MAX_IDEMPOTENCY_KEY_LENGTH}

/** Where the two environments are when no address is given. */
export const DEFAULT_SERVERS = {
  production: '${DEFAULT_SERVERS.production}',
  staging: '${DEFAULT_SERVERS.staging}',
} as const
`
}

/** Input and output differ if a field has a default: it may be omitted, but is always returned. */
function shape(name: string, schema: z.ZodObject, io: 'input' | 'output', parameter?: string): string {
  const { description } = schema.meta() ?? {}
  const fields = Object.entries(schema.shape).map(([field, type]) => {
    const { description, ...rest } = z.toJSONSchema(type as z.ZodType, JSON_SCHEMA)
    const isOptional = io === 'input' && (type as z.ZodType).safeParse(undefined).success
    const written = `${field}${isOptional ? '?' : ''}: ${typeOf(rest)}${isOptional ? ' | undefined' : ''}`
    return `  /** ${description ?? PetStatus.meta()?.description} */\n  ${written}\n`
  })
  return `${description ? `/** ${description} */\n` : ''}export interface ${name}${parameter ? `<${parameter}>` : ''} {\n${fields.join('')}}\n`
}

function typeOf(schema: z.core.JSONSchema.BaseSchema): string {
  if (JSON.stringify(schema).includes('"PetStatus"') || schema.enum) return 'PetStatus'
  if (schema.format === 'int64') return 'Int64'
  if (schema.type === 'integer') return 'number'
  if (schema.type === 'string') return 'string'
  throw new Error(`The client has no type for ${JSON.stringify(schema)}.`)
}

const JSON_SCHEMA: z.core.ToJSONSchemaParams = {
  io: 'input',
  unrepresentable: 'any',
  override: ({ zodSchema, jsonSchema }) => {
    if (zodSchema._zod.def.type === 'bigint') Object.assign(jsonSchema, { type: 'integer', format: 'int64' })
  },
}

if (import.meta.main) process.stdout.write(clientContract())
