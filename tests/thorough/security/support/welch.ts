/** Welch's t of two samples. If it exceeds 4.5 in either direction, their means differ beyond doubt. */
export function welch(a: readonly number[], b: readonly number[]): number {
  const [one, two] = [moments(a), moments(b)]
  return (one.mean - two.mean) / Math.sqrt(one.variance / one.count + two.variance / two.count)
}

/** Drops the slowest part of both samples, which measures the machine and not the code. */
export function withoutOutliers(
  a: readonly number[],
  b: readonly number[],
  keep = 0.9,
): [number[], number[]] {
  const all = [...a, ...b].sort((x, y) => x - y)
  const limit = all[Math.floor(all.length * keep)] ?? 0
  return [a.filter(value => value <= limit), b.filter(value => value <= limit)]
}

function moments(values: readonly number[]) {
  const count = values.length
  const mean = values.reduce((sum, value) => sum + value, 0) / count
  const variance = values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (count - 1)
  return { count, mean, variance }
}
