import { appendFileSync } from 'node:fs'

/** `npm test` runs a short form of every attack, `npm run faults` the full one. */
export const isFull = process.env.PETSTORE_FAULTS === 'full'

export const figure = (short: number, full: number): number => (isFull ? full : short)

/** As in tests/support/setup.ts. */
export const TIMEOUT_MS = 5 * 60_000

/** Prints what an attack measured and writes it to the report of `npm run faults`. */
export function measured(promise: string, result: string): void {
  process.stdout.write(`  ${promise}: ${result}\n`)
  const report = process.env.PETSTORE_FAULTS_REPORT
  if (report) appendFileSync(report, `${JSON.stringify({ promise, result })}\n`)
}
