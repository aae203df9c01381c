import { z } from 'zod'
import { ErrorBody } from '../error-body.ts'
import { INT64_MAX, INT64_MIN } from '../int64.ts'
import { NewPet, Pet, PetStatus, Pets } from '../pet.ts'

export type Json = { [name: string]: unknown }

const NAMED = { Pet, NewPet, Pets, PetStatus, Error: ErrorBody }
const PREFIX = '#/components/schemas/'

/** The schemas that have a name. */
export function namedSchemas(): Json {
  const named = z.registry<{ id: string }>()
  for (const [id, schema] of Object.entries(NAMED)) named.add(schema, { id })
  const { schemas } = z.toJSONSchema(named, { ...JSON_SCHEMA, uri: id => PREFIX + id })
  return Object.fromEntries(Object.keys(NAMED).map(id => [id, plain(schemas[id] as Json)]))
}

export function jsonSchema(schema: z.ZodType): Json {
  const { $defs: _named, ...rest } = z.toJSONSchema(schema, JSON_SCHEMA) as Json
  return plain(JSON.parse(JSON.stringify(rest).replaceAll('#/$defs/', PREFIX)))
}

/** JSON has one kind of number, so a bigint is described as what it is on the wire: an int64. */
const JSON_SCHEMA: z.core.ToJSONSchemaParams = {
  io: 'input',
  unrepresentable: 'any',
  override: ({ zodSchema, jsonSchema }) => {
    const { def } = zodSchema._zod
    if (def.type === 'bigint') Object.assign(jsonSchema, { type: 'integer', format: 'int64' })
    // zod leaves out what it cannot know to hold before a preprocess step; ours hold on either side.
    if (def.type === 'default') Object.assign(jsonSchema, { default: def.defaultValue })
    const examples = z.globalRegistry.get(zodSchema)?.examples
    if (examples) Object.assign(jsonSchema, { examples })
  },
}

/** Without what only zod wants, and with the bounds of int64, which zod's own way through JSON.stringify would lose. */
function plain({ $schema: _schema, $id: _id, id: _name, ...schema }: Json): Json {
  const { $ref, default: _said, ...rest } = schema
  // Generators take a field with a default beside its $ref for one that must be sent; its description names the default.
  const own = $ref === undefined ? schema : { ...rest, $ref }
  const properties = own.properties as Record<string, Json> | undefined
  return {
    ...own,
    ...(own.format === 'int64' && { minimum: INT64_MIN, maximum: INT64_MAX, ...minimumOf(own) }),
    ...(properties && {
      properties: Object.fromEntries(Object.entries(properties).map(([name, field]) => [name, plain(field)])),
    }),
  }
}

const minimumOf = ({ minimum }: Json): Json => (minimum === undefined ? {} : { minimum })
