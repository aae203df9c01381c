import Ajv2020 from 'ajv/dist/2020.js'
import document from '../../../openapi.json'

export interface Schema {
  readonly [keyword: string]: unknown
}

const DESCRIPTION = 'openapi'

let compiled: Ajv2020 | undefined

/** How a value violates a schema of openapi.json. Fields that the schema does not name are violations too. */
export function problems(value: unknown, schema: Schema): string[] {
  compiled ??= checker()
  const { $ref } = schema
  if (typeof $ref === 'string') compiled.validate(DESCRIPTION + $ref, value)
  else compiled.validate(closedOnce(schema), value)
  return (compiled.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`.trim())
}

function checker(): Ajv2020 {
  const ajv = new Ajv2020({ allErrors: true })
  ajv.addVocabulary(['components', 'example', 'x-extensible-enum'])
  // Other tests check the digits beyond 2^53.
  ajv.addFormat('int64', { type: 'number', validate: value => Math.abs(value) <= 2 ** 63 })
  const schemas = Object.entries(document.components.schemas).map(([name, schema]) => [name, closed(schema)])
  ajv.addSchema({ $id: DESCRIPTION, components: { schemas: Object.fromEntries(schemas) } })
  return ajv
}

const closed = (schema: Schema): Schema =>
  schema.properties === undefined ? schema : { ...schema, additionalProperties: false }

/** Returns the same object each time, because the validator compiles every schema object it has not seen. */
function closedOnce(schema: Schema): Schema {
  const known = closedSchemas.get(schema) ?? closed(schema)
  closedSchemas.set(schema, known)
  return known
}

const closedSchemas = new WeakMap<Schema, Schema>()
