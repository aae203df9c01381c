const UNITS_MS = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const

/** `30s`, `15m`, `6h` or `1d` in milliseconds; undefined for anything else. */
export function parseSpan(text: string): number | undefined {
  const [, amount, unit] = /^(\d{1,6})([smhd])$/.exec(text) ?? []
  return amount === undefined ? undefined : Number(amount) * UNITS_MS[unit as keyof typeof UNITS_MS]
}

const UNITS = [
  ['day', UNITS_MS.d],
  ['hour', UNITS_MS.h],
  ['minute', UNITS_MS.m],
] as const

/** A span as people say it, in its largest unit. */
export function spanText(ms: number): string {
  for (const [unit, size] of UNITS) {
    const count = Math.floor(ms / size)
    if (count > 0) return `${count} ${unit}${count === 1 ? '' : 's'}`
  }
  return 'less than a minute'
}
