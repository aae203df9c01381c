import { expect, test } from 'bun:test'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { METRICS } from '../../src/observability/metrics.ts'
import { DEPLOY } from '../support/programs/prometheus.ts'

const namesIn = async (file: string): Promise<string[]> =>
  [...(await readFile(join(DEPLOY, file), 'utf8')).matchAll(/\b(?:petstore|process)_[a-z_]+/g)].map(
    ([name]) => name.replace(/_(bucket|sum|count)$/, ''),
  )

test('alerts and dashboard name no metric that is not served, and every metric is used by one of them', async () => {
  const named = new Set([...(await namesIn('alerts.yml')), ...(await namesIn('grafana.json'))])
  expect([...named].toSorted()).toEqual(Object.keys(METRICS).toSorted())
})
