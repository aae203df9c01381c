import type { Json } from './schemas.ts'

/** Schemas whose `properties` are names of fields, not keywords. */
const NAMES_BELOW = new Set(['properties', 'schemas', 'responses', 'headers', 'examples', 'links', 'paths'])

/** The same description for tools that know OpenAPI 3.0 only. */
export function asOpenApi30({ openapi: _newer, info, ...rest }: Json): Json {
  const { summary: _summary, license, ...known } = info as Json & { license: { name: string } }
  return { openapi: '3.0.3', info: { ...known, license: { name: license.name } }, ...(older(rest) as Json) }
}

/** Version 3.0 has one `example` of a schema, and nothing beside a `$ref`. */
function older(node: unknown, areNames = false): unknown {
  if (Array.isArray(node)) return node.map(item => older(item))
  if (typeof node !== 'object' || node === null) return node
  const fields = Object.entries(node).map(([name, value]) => [
    name,
    older(value, !areNames && NAMES_BELOW.has(name)),
  ])
  const { $ref, examples, ...rest } = Object.fromEntries(fields) as Json
  if (areNames) return Object.fromEntries(fields)
  if ($ref !== undefined && Object.keys(rest).length > 0) return { ...rest, allOf: [{ $ref }] }
  return {
    ...rest,
    ...($ref !== undefined && { $ref }),
    ...(Array.isArray(examples) ? { example: examples[0] } : examples !== undefined && { examples }),
  }
}
