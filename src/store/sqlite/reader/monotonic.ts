/** The same clock in every thread, unlike `performance.now()`. */
export const monotonicMs = (): number => Number(process.hrtime.bigint() / 1_000_000n)
