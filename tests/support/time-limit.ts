/**
 * The only time limit of tests and hooks, set in setup.ts; no test sets another. It catches hangs, and is generous because
 * everything is slow on a busy machine. `npm run faults` runs attacks that take long.
 */
export const TIME_LIMIT_MS = process.env.PETSTORE_FAULTS === 'full' ? 60 * 60_000 : 5 * 60_000
