const UNITS_MS = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const

/** `30s`, `15m`, `6h` or `1d` in milliseconds, in every setting and flag; undefined for anything else. */
export function parseDuration(text: string): number | undefined {
  const [, amount, unit] = /^(\d{1,6})([smhd])$/.exec(text) ?? []
  return amount === undefined ? undefined : Number(amount) * UNITS_MS[unit as keyof typeof UNITS_MS]
}
