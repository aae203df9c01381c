import { countText } from '../text.ts'

const UNITS_MS = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const

/** `30s`, `15m`, `6h` or `1d` in milliseconds, in every setting and flag; undefined for anything else. */
export function parseDuration(text: string): number | undefined {
  const [, amount, unit] = /^(\d{1,6})([smhd])$/.exec(text) ?? []
  return amount === undefined ? undefined : Number(amount) * UNITS_MS[unit as keyof typeof UNITS_MS]
}

const UNITS = [
  ['day', UNITS_MS.d],
  ['hour', UNITS_MS.h],
  ['minute', UNITS_MS.m],
] as const

/** A duration in words, in its largest unit. */
export function durationText(ms: number): string {
  for (const [unit, size] of UNITS) if (ms >= size) return countText(Math.floor(ms / size), unit)
  return 'less than a minute'
}
