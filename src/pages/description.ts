/** What the page reads of the description. */
export interface Description {
  readonly info: { readonly version: string }
  readonly paths: Readonly<Record<string, Readonly<Record<string, DescribedOperation>>>>
  readonly components: {
    readonly schemas: Readonly<Record<string, Schema>>
    readonly responses: Readonly<Record<string, DescribedResponse>>
    readonly headers: Readonly<Record<string, Omit<Parameter, 'name' | 'in'>>>
  }
}

export interface DescribedOperation {
  readonly operationId: string
  readonly summary: string
  readonly description: string
  readonly deprecated?: true
  readonly parameters: readonly Parameter[]
  readonly requestBody?: { readonly content: Content }
  readonly responses: Readonly<Record<string, DescribedResponse | Reference>>
}

export interface Parameter {
  readonly name: string
  readonly in: 'path' | 'query' | 'header'
  readonly required?: boolean
  readonly description: string
  readonly schema: Schema
  readonly example: unknown
}

export interface DescribedResponse {
  readonly description: string
  readonly headers: Readonly<Record<string, Reference>>
  readonly content?: Content
}

export interface Content {
  readonly 'application/json': {
    readonly schema: Schema
    readonly example?: unknown
    readonly examples?: Readonly<Record<string, unknown>>
  }
}

export interface Reference {
  readonly $ref: string
}

export interface Schema extends Partial<Reference> {
  readonly type?: string
  readonly format?: string
  readonly description?: string
  readonly enum?: readonly unknown[]
  readonly default?: unknown
  readonly examples?: readonly unknown[]
  readonly minimum?: number | bigint
  readonly maximum?: number | bigint
  readonly minLength?: number
  readonly maxLength?: number
  readonly maxItems?: number
  readonly items?: Schema
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
}

export const nameOf = ({ $ref = '' }: Partial<Reference>): string => $ref.split('/').at(-1) ?? ''

export const responsesOf = (
  { components }: Description,
  { responses }: DescribedOperation,
): [string, DescribedResponse | undefined][] =>
  Object.entries(responses).map(([status, response]) => [
    status,
    '$ref' in response ? components.responses[nameOf(response)] : response,
  ])

/** What is said at the place of use goes before what the named schema says. */
export function resolved(description: Description, schema: Schema): Schema {
  const named = schema.$ref === undefined ? {} : description.components.schemas[nameOf(schema)]
  return { ...named, ...schema }
}

/** A schema's type and bounds in a few words: `int64`, `integer from 1 to 100`, `string, 1 to 255 characters`. */
export function typeOf({ type = '', format, items, enum: values }: Schema): string {
  if (values) return `one of ${values.join(', ')}`
  if (items) return 'array'
  return format === 'int64' ? 'int64' : type
}

export function rangeOf({ format, minimum, maximum, minLength, maxLength, maxItems }: Schema): string {
  if (maxItems !== undefined) return `at most ${maxItems}`
  if (minLength !== undefined) return `${minLength} to ${maxLength} characters`
  if (minimum === undefined || maximum === undefined) return ''
  return format === 'int64' && typeof minimum === 'bigint' ? `any int64` : `${minimum} to ${maximum}`
}

export interface Placed {
  readonly method: string
  readonly path: string
  readonly operation: DescribedOperation
}

export const operationsOf = ({ paths }: Description): Placed[] =>
  Object.entries(paths).flatMap(([path, byMethod]) =>
    Object.entries(byMethod).map(([method, operation]) => ({
      method: method.toUpperCase(),
      path,
      operation,
    })),
  )
