/** Attacks run in a short form; with PETSTORE_FAULTS=full they take as long as it takes to find the rare. */
export const isFull = process.env.PETSTORE_FAULTS === 'full'

export const figure = (short: number, full: number): number => (isFull ? full : short)

/** As in tests/support/setup.ts. */
export const TIMEOUT_MS = 5 * 60_000

/** Prints what an attack measured. */
export const measured = (promise: string, result: string): void =>
  void process.stdout.write(`  ${promise}: ${result}\n`)
