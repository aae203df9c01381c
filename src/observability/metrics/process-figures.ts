import type { Exposition } from './exposition.ts'

export function writeProcess(page: Exposition): void {
  const { user, system } = process.cpuUsage()
  const { rss, heapUsed } = process.memoryUsage()
  page.value('process_cpu_seconds_total', (user + system) / 1e6)
  page.value('process_resident_memory_bytes', rss)
  page.value('process_heap_bytes', heapUsed)
  page.value('process_start_time_seconds', performance.timeOrigin / 1000)
}
