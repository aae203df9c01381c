const SCALAR = String.raw`-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null`
/** Without its end, so that it ends where a string is broken. */
const OPEN_STRING = String.raw`"[^"\\\0-\x1f]*(?:\\(?:["\\/bfnrt]|u[\da-fA-F]{4})[^"\\\0-\x1f]*)*`

/** Where the text is not JSON, which JSON.parse does not say, and the mistake if it is a common one. Reads the text once. */
export function faultIn(text: string): string {
  let at = 0
  const takeHere = (token: string): boolean => {
    const pattern = new RegExp(token, 'y')
    pattern.lastIndex = at
    const isHere = pattern.test(text)
    if (isHere) at = pattern.lastIndex
    return isHere
  }
  // White space is taken first, so that it is read once, however many tokens are tried after it.
  const take = (token: string): boolean => takeHere('[ \\t\\n\\r]*') && takeHere(token)
  const takeItems = (takeItem: () => boolean, end: string): boolean => {
    if (take(end)) return true
    while (takeItem()) if (!take(',')) return take(end)
    return false
  }
  const takeMember = (): boolean => take(OPEN_STRING) && takeHere('"') && take(':') && takeValue()
  const takeValue = (): boolean => {
    if (take('{')) return takeItems(takeMember, '}')
    if (take('\\[')) return takeItems(takeValue, ']')
    return take(OPEN_STRING) ? takeHere('"') : take(SCALAR)
  }
  const isWhole = takeValue()
  take('')
  let lines = 1
  for (let n = 0; n < at; n++) if (text[n] === '\n') lines++
  const next = text[at] ?? ''
  let mistake = next === '' ? 'it ends before it is complete' : ''
  if (/['‘’“”]/.test(next)) mistake = 'use double quotation marks (")'
  if (/[}\]]/.test(next) && text.slice(0, at).trimEnd().endsWith(',')) mistake = 'remove the comma before it'
  if (isWhole && next !== '') mistake = 'it is text after the JSON value'
  const place = `line ${lines}, column ${at - text.lastIndexOf('\n', at - 1)}`
  return place + (mistake && `: ${mistake}`)
}
