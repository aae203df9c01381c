import client from '../../client/package.json' with { type: 'json' }
import { ERROR_CODES } from '../../src/contract/errors.ts'
import { LIMIT_MAX, MAX_IDEMPOTENCY_KEY_LENGTH } from '../../src/contract/limits.ts'
import { type ObjectSchema, PET_STATUS_SCHEMA, petSchema } from '../../src/contract/openapi.ts'
import { LIST_PETS_QUERY, OPERATIONS } from '../../src/contract/operations.ts'
import { PET_FIELDS, PET_STATUSES } from '../../src/contract/pet.ts'

const TYPES = { int64: 'Int64', text: 'string', status: 'PetStatus' } as const
const PET_TYPES = Object.fromEntries(PET_FIELDS.map(({ name, kind }) => [name, TYPES[kind]]))
/** The schema leaves the status optional, but every animal that the service returns has one. */
const PET = { ...petSchema('Pet'), required: Object.keys(PET_TYPES) }
const QUERY_TYPES = {
  limit: 'number',
  status: 'PetStatus',
  cursor: 'string',
} satisfies Record<keyof typeof LIST_PETS_QUERY, string>
const QUERY = {
  description: 'Which animals to list, and how many at a time.',
  required: [],
  properties: LIST_PETS_QUERY,
}

/** The part of the contract in the published client, as source text: it may not import the service. */
export function clientContract(version: string = client.version): string {
  const operations = Object.entries(OPERATIONS).map(
    ([id, { method, path }]) => `  ${id}: { method: '${method}', path: '${path}' },\n`,
  )
  const fields = PET_FIELDS.map(({ name, kind }) => `  ${name}: '${kind}',\n`)
  return `// Generated from the contract of the service by \`npm run openapi\`. Edit the contract, not this file.

/** The version of this package, sent in the User-Agent. */
export const VERSION = '${version}'

export const PET_STATUSES = [${PET_STATUSES.map(status => `'${status}'`).join(', ')}] as const

/** ${PET_STATUS_SCHEMA.description} */
export type PetStatus = (typeof PET_STATUSES)[number]

${shape('Pet', PET, PET_TYPES, 'Int64 = bigint')}
${shape('NewPet', petSchema('NewPet'), PET_TYPES, 'Int64 = bigint | number | string')}
${shape('ListPetsQuery', QUERY, QUERY_TYPES)}
/** The error codes of the service. */
export type ErrorCode =
${ERROR_CODES.map(code => `  | '${code}'\n`).join('')}
export const OPERATIONS = {
${operations.join('')}} as const

/** The name of an operation in the description of the service. */
export type OperationId = keyof typeof OPERATIONS

export const LIMIT_MAX = ${LIMIT_MAX}

export const MAX_IDEMPOTENCY_KEY_LENGTH = ${MAX_IDEMPOTENCY_KEY_LENGTH}

/** Their kinds, in the order in which the service writes them. */
export const PET_FIELDS = {
${fields.join('')}} as const
`
}

function shape(
  name: string,
  { description, required, properties }: Omit<ObjectSchema, 'type'>,
  types: Readonly<Record<string, string>>,
  parameter?: string,
): string {
  const fields = Object.entries(properties).map(([field, schema]) => {
    const [mark, none] = required.includes(field) ? ['', ''] : ['?', ' | undefined']
    return `  /** ${schema.description} */\n  ${field}${mark}: ${types[field]}${none}\n`
  })
  const head = `export interface ${name}${parameter ? `<${parameter}>` : ''}`
  return `/** ${description} */\n${head} {\n${fields.join('')}}\n`
}
