/** The same in every thread, which `performance.now()` is not. */
export const monotonicMs = (): number => Number(process.hrtime.bigint() / 1_000_000n)
