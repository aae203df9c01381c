/** JSON over several lines. Numbers and texts stay as they were written: nothing is parsed, so nothing is rounded. */
export function indented(json: string): string {
  let text = ''
  let depth = 0
  const line = (): string => `\n${'  '.repeat(depth)}`
  for (const [token = ''] of json.matchAll(/"(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s{}[\],:"]+|"/g)) {
    if (token === '{' || token === '[') {
      depth++
      text += token + line()
    } else if (token === '}' || token === ']') {
      depth = Math.max(0, depth - 1)
      text = text.endsWith(`${token === '}' ? '{' : '['}\n${'  '.repeat(depth + 1)}`)
        ? text.trimEnd() + token
        : text + line() + token
    } else if (token === ',') text += token + line()
    else text += token === ':' ? ': ' : token
  }
  return text
}
