/**
 * The one time limit of tests and hooks, set in setup.ts: no test sets another. It is there for what hangs, and generous, as on a
 * busy machine everything takes its time. `npm run faults` runs attacks that take long by themselves.
 */
export const TIME_LIMIT_MS = process.env.PETSTORE_FAULTS === 'full' ? 60 * 60_000 : 5 * 60_000
