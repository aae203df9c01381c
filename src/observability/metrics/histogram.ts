/** Counts of values by size. Plain numbers in an array: an observation is a short search and two additions. */
export class Histogram {
  readonly bounds: readonly number[]
  /** One for each bound, and one for what is above them all. */
  readonly counts: number[]
  sum = 0

  constructor(bounds: readonly number[]) {
    this.bounds = bounds
    this.counts = Array.from({ length: bounds.length + 1 }, () => 0)
  }

  observe(value: number): void {
    const { bounds, counts } = this
    let place = 0
    // From below, since most are small.
    while (place < bounds.length && value > (bounds[place] as number)) place++
    counts[place] = (counts[place] as number) + 1
    this.sum += value
  }
}

/** In seconds, from an answer out of memory to one that is as good as lost. */
export const DURATIONS = [
  0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5,
]
/** A batch holds at most 512 animals. */
export const SIZES = [1, 2, 4, 8, 16, 32, 64, 128, 256, 512]
