import { HEADERS, type HeaderName } from '../headers.ts'
import type { Json } from './schemas.ts'

/** No answer of an operation has it: a 405 belongs to a path, not to an operation. */
const OF_NO_OPERATION: readonly HeaderName[] = ['Allow']
/** On a deprecated operation the header that elsewhere may name a next page is always there, for another purpose. */
const DEPRECATION_LINK = {
  description: 'RFC 8288: `rel="deprecation"` names the documentation of the deprecation.',
  required: true,
  schema: { type: 'string' },
  example: '</docs#deprecation>; rel="deprecation"; type="text/html"',
}

export function namedHeaders(): Json {
  const names = (Object.keys(HEADERS) as HeaderName[]).filter(name => !OF_NO_OPERATION.includes(name))
  return {
    ...Object.fromEntries(names.map(name => [name, describeHeader(name)])),
    DeprecationLink: DEPRECATION_LINK,
  }
}

function describeHeader(name: HeaderName): Json {
  const { description, schema, example, ...rest } = HEADERS[name]
  return { description, required: !('isOptional' in rest), schema, example }
}

export const headers = (names: readonly HeaderName[], isDeprecated: boolean): Json => ({
  ...Object.fromEntries(names.map(name => [name, ref(name)])),
  ...(isDeprecated && { Link: ref('DeprecationLink') }),
})

const ref = (name: string): Json => ({ $ref: `#/components/headers/${name}` })
