/** What is wrong, by the field it is about; what belongs to no field is kept under ''. */
export type Problems = Readonly<Record<string, string>>

const BODY_PROBLEMS = /^The body is invalid: (.*)\.$/s

/** Takes the service's one sentence about a body apart, so that each part can stand at its field. */
export function problemsByField(message: string, fields: readonly string[]): Problems {
  const parts = BODY_PROBLEMS.exec(message)?.[1]?.split('; ')
  if (parts === undefined) return { '': message }
  const problems: Record<string, string> = {}
  for (const part of parts) {
    const [field = '', ...words] = part.split(' ')
    const [name, text] = fields.includes(field) ? [field, words.join(' ')] : ['', part]
    problems[name] = problems[name] ? `${problems[name]}; ${text}` : text
  }
  return problems
}
