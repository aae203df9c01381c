/** Syncing a large file to a slow disk takes long and shows no progress. */
const PATIENCE_MS = 5 * 60 * 1000
const WORTH_CPU_MICROSECONDS = 20_000

/** Whether this process makes progress, judged by its reads, writes and processor time. */
export class CopyProgress {
  #seen = this.#figures()
  #at = performance.now()

  /** Whether it made progress within `PATIENCE_MS`. */
  isMade(): boolean {
    const figures = this.#figures()
    if (figures !== this.#seen) {
      this.#seen = figures
      this.#at = performance.now()
    }
    return performance.now() - this.#at < PATIENCE_MS
  }

  #figures(): string {
    const { fsRead, fsWrite, userCPUTime } = process.resourceUsage()
    return [fsRead, fsWrite, Math.floor(userCPUTime / WORTH_CPU_MICROSECONDS)].join()
  }
}
