import { expect, test } from 'bun:test'
import { combined } from './metrics.ts'

test('figures of threads are added up, but the first expiry counts, and stalled is stalled', () => {
  const [stalled, expiry] = ['petstore_store_stalled', 'petstore_key_expiry_timestamp_seconds']
  const figures = { petstore_pool_waiting: 2, [stalled]: 1, [expiry]: 20 }
  const all = [figures, { ...figures, [expiry]: 10 }, { [expiry]: undefined }]
  expect(combined(all)).toEqual({ petstore_pool_waiting: 4, [stalled]: 1, [expiry]: 10 })
})
