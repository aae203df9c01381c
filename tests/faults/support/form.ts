import { appendFileSync } from 'node:fs'

/** `npm test` runs a short form of every attack, `npm run faults` the full one. */
export const isFull = process.env.PETSTORE_FAULTS === 'full'

export const figure = (short: number, full: number): number => (isFull ? full : short)

/** Full forms take their time, and so does a machine that does something else besides. */
export const TIMEOUT_MS = figure(120_000, 60 * 60_000)

/** Keeps what an attack measured: printed, and written down for the report of `npm run faults`. */
export function measured(promise: string, result: string): void {
  process.stdout.write(`  ${promise}: ${result}\n`)
  const report = process.env.PETSTORE_FAULTS_REPORT
  if (report) appendFileSync(report, `${JSON.stringify({ promise, result })}\n`)
}
