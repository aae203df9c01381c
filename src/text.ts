/** `1 animal`, `1,200 animals`. */
export const countText = (count: number, what: string): string =>
  `${withCommas(count)} ${what}${count === 1 ? '' : 's'}`

export const withCommas = (count: number): string => count.toLocaleString('en')

const UNITS_MS = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const

/** `30s`, `15m`, `6h` or `1d` in milliseconds, in every setting and flag; undefined for anything else. */
export function parseDuration(text: string): number | undefined {
  const [, amount, unit] = /^(\d{1,6})([smhd])$/.exec(text) ?? []
  return amount === undefined ? undefined : Number(amount) * UNITS_MS[unit as keyof typeof UNITS_MS]
}

/** An IPv6 address needs brackets. */
export const urlOf = (scheme: 'http' | 'https', host: string, port: number | undefined): string =>
  `${scheme}://${host.includes(':') ? `[${host}]` : host}:${port}`

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
