/**
 * Whether a variable has the name of a setting except for a missing, additional, wrong or swapped letter, its underscores, case,
 * prefix, a longer last word, or _FILE. HOST and PORT are too much like other names (POST, PORTS) for most of these.
 */
export function isNearly(name: string, known: string): boolean {
  const unprefixed = known.startsWith('PETSTORE_') ? name : name.replace(/^PETSTORE_/, '')
  if (unprefixed === known || unprefixed === `${known}_FILE`) return true
  const [a, b] = [unprefixed, known].map(text => text.toUpperCase().replaceAll('_', '')) as [string, string]
  const shorter = Math.min(a.length, b.length)
  let [start, end] = [0, 0]
  while (start < shorter && a[start] === b[start]) start++
  while (end < shorter - start && a.at(-1 - end) === b.at(-1 - end)) end++
  const [inA, inB] = [a.slice(start, a.length - end), b.slice(start, b.length - end)]
  if (inA.length === 2 && inA === `${inB[1]}${inB[0]}`) return true
  const isOneLetter = start > 0 && inA.length <= 1 && inB.length <= 1
  return b.length > 'PORT'.length && (isOneLetter || new RegExp(`^${known}[A-Z]+$`).test(unprefixed))
}
