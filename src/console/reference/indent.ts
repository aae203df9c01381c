interface ExactJson {
  /** Not known to TypeScript yet, nor to every browser. */
  rawJSON?(text: string): unknown
}

/** JSON over several lines, each number as it was written. Other text stays as it is, as does JSON in an old browser. */
export function indented(text: string): string {
  const { rawJSON } = JSON as ExactJson
  if (rawJSON === undefined) return text
  const exact = (_name: string, value: unknown, context?: { source?: string }): unknown =>
    typeof value === 'number' ? rawJSON(context?.source ?? String(value)) : value
  try {
    return JSON.stringify(JSON.parse(text, exact), null, 2)
  } catch {
    return text
  }
}
