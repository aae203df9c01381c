import { expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Counter } from './counts.ts'
import type { Event } from './events.ts'
import { combined, METRICS, renderMetrics } from './metrics.ts'

test('figures of threads are added up, but the first expiry counts, and stalled is stalled', () => {
  const [stalled, expiry] = ['petstore_store_stalled', 'petstore_key_expiry_timestamp_seconds']
  const figures = { petstore_pool_waiting: 2, [stalled]: 1, [expiry]: 20 }
  const all = [figures, { ...figures, [expiry]: 10 }, { [expiry]: undefined }]
  expect(combined(all)).toEqual({ petstore_pool_waiting: 4, [stalled]: 1, [expiry]: 10 })
})

test('alerts and dashboard name no metric that is not served, and every metric is used by one of them', () => {
  const read = (file: string) => readFileSync(join(import.meta.dir, '../../deploy', file), 'utf8')
  const named = (read('alerts.yml') + read('grafana.json'))
    .match(/\b(?:petstore|process)_[a-z_]+/g)
    ?.map(name => name.replace(/_(bucket|sum|count)$/, ''))
  expect([...new Set(named)].toSorted()).toEqual(Object.keys(METRICS).toSorted())
})

test('the page says what each metric is, and of which type, once for all of its series', () => {
  const size = 'petstore_store_batch_size'
  const figures = { petstore_pool_waiting: 2, [`${size}_bucket{le="1"}`]: 1, [`${size}_sum`]: 1.5 }
  expect(renderMetrics(figures)).toBe(
    `# HELP ${size} ${METRICS[size][1]}
# TYPE ${size} histogram
${size}_bucket{le="1"} 1
${size}_sum 1.5
# HELP petstore_pool_waiting ${METRICS.petstore_pool_waiting[1]}
# TYPE petstore_pool_waiting gauge
petstore_pool_waiting 2
`,
  )
})

test('what is counted up is a counter, what has buckets a histogram, and all else a gauge', () => {
  const counter = new Counter()
  counter.add({ kind: 'request', operation: 'getPet', status: 200, durationMs: 1 } as Event)
  const counted = Object.keys(counter.figures())
  for (const [name, [type]] of Object.entries(METRICS)) {
    const hasBuckets = counted.some(series => series.startsWith(`${name}_bucket`))
    expect([name, type]).toEqual([
      name,
      name.endsWith('_total') ? 'counter' : hasBuckets ? 'histogram' : 'gauge',
    ])
  }
})
