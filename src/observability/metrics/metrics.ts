import type { Observe } from '../events.ts'
import { EventCounts } from './event-counts.ts'
import { EventLoopLag } from './event-loop-lag.ts'
import { Exposition } from './exposition.ts'
import { type Sources, writeSources } from './sources.ts'

/** All metrics: those counted as things happen, and those read at the moment of a scrape. */
export class Metrics {
  readonly observe: Observe
  readonly #counts: EventCounts
  readonly #lag = new EventLoopLag()

  constructor(deprecated: readonly string[]) {
    this.#counts = new EventCounts(deprecated)
    this.observe = this.#counts.observe
  }

  /** The page; without `sources`, that of a process which serves no requests. */
  render(sources?: Sources): string {
    const page = new Exposition()
    this.#counts.writeTo(page)
    if (sources !== undefined) {
      writeSources(page, sources)
      page.histograms('petstore_event_loop_lag_seconds', [[{}, this.#lag.histogram]])
    }
    writeProcess(page)
    return page.text
  }

  close(): void {
    this.#lag.close()
  }
}

function writeProcess(page: Exposition): void {
  const { user, system } = process.cpuUsage()
  const { rss, heapUsed } = process.memoryUsage()
  page.value('process_cpu_seconds_total', (user + system) / 1e6)
  page.value('process_resident_memory_bytes', rss)
  page.value('process_heap_bytes', heapUsed)
  page.value('process_start_time_seconds', performance.timeOrigin / 1000)
}
