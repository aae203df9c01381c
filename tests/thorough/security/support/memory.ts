import { residentBytes } from '../../faults/support/proc.ts'

const EVERY_MS = 250
const MIB = 2 ** 20

/** Samples the memory of a process. */
export class Memory {
  readonly #samples: number[] = []
  readonly #timer: Timer

  constructor(pid: number) {
    this.#timer = setInterval(() => this.#samples.push(residentBytes(pid) / MIB), EVERY_MS)
  }

  /** In MiB: the medians of the first and last third, because one sample depends on garbage collection; and the maximum. */
  stop(): { first: number; last: number; highest: number } {
    clearInterval(this.#timer)
    const third = Math.ceil(this.#samples.length / 3)
    return {
      first: median(this.#samples.slice(0, third)),
      last: median(this.#samples.slice(-third)),
      highest: Math.max(...this.#samples),
    }
  }
}

const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0
