type Reviver = (name: string, value: unknown, context: { readonly source?: string }) => unknown

/** TypeScript does not know the reviver's third argument and `rawJSON` yet. */
export const { parse, rawJSON } = JSON as unknown as {
  parse(text: string, reviver: Reviver): unknown
  rawJSON(text: string): unknown
}
