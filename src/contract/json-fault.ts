/** Where a text stops being JSON, this much of it is shown. */
const SHOWN = 20

const SPACES = '[ \\t\\n\\r]*'
const SCALAR = String.raw`-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null`
/** Without its end, so that it ends where a string is broken. */
const OPEN_STRING = String.raw`"[^"\\\0-\x1f]*(?:\\(?:["\\/bfnrt]|u[\da-fA-F]{4})[^"\\\0-\x1f]*)*`

/** Where a text is not JSON, which JSON.parse does not say, and the mistake if it is a usual one. Reads the text once. */
export function faultIn(text: string) {
  let at = 0
  let last = ''
  const take = (token: string, spaces = SPACES): boolean => {
    const pattern = new RegExp(`${spaces}(?:${token})`, 'y')
    pattern.lastIndex = at
    const isHere = pattern.test(text)
    if (isHere) [at, last] = [pattern.lastIndex, token]
    return isHere
  }
  const takeItems = (takeItem: () => boolean, end: string): boolean => {
    if (take(end)) return true
    while (takeItem()) if (!take(',')) return take(end)
    return false
  }
  const takeMember = (): boolean => take(OPEN_STRING) && take('"', '') && take(':') && takeValue()
  const takeValue = (): boolean => {
    if (take('{')) return takeItems(takeMember, '}')
    if (take('\\[')) return takeItems(takeValue, ']')
    return take(OPEN_STRING) ? take('"', '') : take(SCALAR)
  }
  const isWhole = takeValue()
  const isAfterComma = last === ','
  take('')
  const lines = text.slice(0, at).split('\n')
  const near = text.slice(at, at + SHOWN).replaceAll(/\p{C}/gu, '?')
  let mistake = near === '' ? 'it ends before it is complete' : ''
  if (/^['‘’“”]/.test(near)) mistake = 'use double quotation marks (")'
  if (isAfterComma && /^[}\]]/.test(near)) mistake = 'remove the comma before it'
  if (isWhole && near !== '') mistake = 'it is text after the JSON value'
  return { line: lines.length, column: (lines.at(-1)?.length ?? 0) + 1, near, mistake }
}
