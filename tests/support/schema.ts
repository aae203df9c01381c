import document from '../../openapi.json'

export interface Schema {
  readonly [keyword: string]: unknown
}

const INT64 = { min: -(2n ** 63n), max: 2n ** 63n - 1n }
const DOES_NOT_CONSTRAIN = new Set(['description', 'examples', 'example', 'default'])

type Rule = (value: unknown, argument: never) => boolean

/** The keywords that the description uses. An unknown one throws, so that none is passed over in silence. */
const RULES: Record<string, Rule> = {
  type: (value, type: string) => typeOf(value) === type,
  enum: (value, allowed: readonly unknown[]) => allowed.includes(value),
  format: (value, format: string) =>
    format === 'int64' && typeof value === 'bigint' && value >= INT64.min && value <= INT64.max,
  minimum: (value, least: number) => (value as number) >= least,
  maximum: (value, most: number) => (value as number) <= most,
  minLength: (value, least: number) => [...(value as string)].length >= least,
  maxLength: (value, most: number) => [...(value as string)].length <= most,
  pattern: (value, pattern: string) => new RegExp(pattern, 'u').test(value as string),
  required: (value, names: readonly string[]) => names.every(name => Object.hasOwn(value as object, name)),
  items: (value, schema: Schema) => (value as unknown[]).every(item => problems(item, schema).length === 0),
  properties: (value, schemas: Record<string, Schema>) =>
    Object.entries(value as object).every(
      ([name, field]) => schemas[name] !== undefined && problems(field, schemas[name]).length === 0,
    ),
  $ref: (value, reference: string) => problems(value, resolve(reference)).length === 0,
}

/** The keywords of a schema that a value breaks. Fields that the schema does not name count as broken too. */
export function problems(value: unknown, schema: Schema): string[] {
  return Object.entries(schema)
    .filter(([keyword]) => !DOES_NOT_CONSTRAIN.has(keyword))
    .filter(([keyword, argument]) => {
      const rule = RULES[keyword]
      if (rule === undefined) throw new Error(`The checker does not know the keyword ${keyword}`)
      return !rule(value, argument as never)
    })
    .map(([keyword, argument]) => `${keyword}: ${JSON.stringify(argument)}`)
}

function resolve(reference: string): Schema {
  const [, name = ''] = /^#\/components\/schemas\/(\w+)$/.exec(reference) ?? []
  const schema = (document.components.schemas as Record<string, Schema>)[name]
  if (schema === undefined) throw new Error(`The description has no ${reference}`)
  return schema
}

function typeOf(value: unknown): string {
  if (Array.isArray(value)) return 'array'
  if (typeof value === 'bigint' || Number.isInteger(value)) return 'integer'
  return value === null ? 'null' : typeof value
}
