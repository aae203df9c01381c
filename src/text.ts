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
  finding.replace(/^[a-z](?=[a-z]* )/, letter => letter.toUpperCase()).replace(/[^.]$/, '$&.')
