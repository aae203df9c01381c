/** `1 animal`, `1,200 animals`. */
export const countText = (count: number, what: string): string =>
  `${withCommas(count)} ${what}${count === 1 ? '' : 's'}`

export const withCommas = (count: number): string => count.toLocaleString('en')

const UNITS = ['bytes', 'KiB', 'MiB', 'GiB', 'TiB'] as const

/** Bytes in the unit that people would choose. */
export function bytesText(bytes: number): string {
  let unit = 0
  for (; bytes >= 1024 && unit < UNITS.length - 1; unit++) bytes /= 1024
  return `${unit === 0 ? bytes : bytes.toFixed(1)} ${UNITS[unit]}`
}

/** A finding as a sentence: a first word with a capital letter, but not an address or a path, and a full stop. */
export const asSentence = (finding: string): string =>
  finding.replace(/^[a-z](?=[a-z]* )/, letter => letter.toUpperCase()).replace(/[^.?]$/, '$&.')

const UNITS_MS = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const

/** `30s`, `15m`, `6h` or `1d` in milliseconds, in every setting and flag; undefined for anything else. */
export function parseDuration(text: string): number | undefined {
  const [, amount, unit] = /^(\d{1,6})([smhd])$/.exec(text) ?? []
  return amount === undefined ? undefined : Number(amount) * UNITS_MS[unit as keyof typeof UNITS_MS]
}

/** A duration in words, in its largest unit. */
export function durationText(ms: number): string {
  if (ms >= UNITS_MS.d) return countText(Math.floor(ms / UNITS_MS.d), 'day')
  if (ms >= UNITS_MS.h) return countText(Math.floor(ms / UNITS_MS.h), 'hour')
  return ms >= UNITS_MS.m ? countText(Math.floor(ms / UNITS_MS.m), 'minute') : 'less than a minute'
}
