import { expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { combined, METRICS } from './metrics.ts'

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
