/** Strings, punctuation, and everything else that has no blank in it. */
const TOKEN = /"(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s{}[\],:"]+/g
/** What is nested deeper keeps this distance from the margin. */
const MOST_DEPTH = 20

/** JSON over several lines. Numbers and texts stay as they were written, so nothing is rounded. Other text stays as it is. */
export function indented(json: string): string {
  if (!isJson(json)) return json
  let text = ''
  let depth = 0
  let before = ''
  for (const [token] of json.matchAll(TOKEN)) {
    const isFirst = before === '{' || before === '['
    const isEnd = token === '}' || token === ']'
    if (isEnd) depth--
    if (isEnd ? !isFirst : isFirst || before === ',') text += `\n${'  '.repeat(Math.min(depth, MOST_DEPTH))}`
    if (token === '{' || token === '[') depth++
    text += token === ':' ? ': ' : token
    before = token
  }
  return text
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}
