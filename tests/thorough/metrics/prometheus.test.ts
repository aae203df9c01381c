import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { RELEASE } from '../../../src/release.ts'
import { petJson } from '../../support/http/exact.ts'
import { needs } from '../../support/programs/needs.ts'
import { DEPLOY, Prometheus, promtool } from '../../support/programs/prometheus.ts'
import { engines } from '../../support/service/engines.ts'
import { startMeasuredProcess } from '../../support/service/metrics.ts'
import { eventually } from '../../support/service/process.ts'

const { afterAll, beforeAll, describe } = needs('prometheus', 'promtool')

interface Panel {
  readonly id: number
  readonly type: string
  readonly title: string
  readonly gridPos: Readonly<Record<'x' | 'y' | 'w' | 'h', number>>
  readonly targets?: readonly { readonly refId: string; readonly expr: string }[]
}

interface Dashboard {
  readonly uid: string
  readonly title: string
  readonly schemaVersion: number
  readonly templating: { readonly list: readonly { readonly name: string }[] }
  readonly panels: readonly Panel[]
}

const dashboard = (await Bun.file(join(DEPLOY, 'grafana.json')).json()) as Dashboard
/** The values that Grafana would substitute. */
const VARIABLES: Readonly<Record<string, string>> = {
  job: 'petstore',
  instance: '.+',
  __rate_interval: '10s',
}
const expressions = dashboard.panels.flatMap(({ title, targets }) =>
  (targets ?? []).map(({ expr }) => [
    title,
    expr.replaceAll(/\$(\w+)/g, (_, name: string) => VARIABLES[name] ?? `$${name}`),
  ]),
) as [title: string, expression: string][]
const ONLY_WITH_A_POOL = /petstore_pool/

describe.each(engines.map(engine => [engine.name, engine] as const))(
  'a real Prometheus beside a service on %s',
  (name, engine) => {
    let service: Awaited<ReturnType<typeof startMeasuredProcess>>
    let prometheus: Prometheus

    const work = async (): Promise<void> => {
      await service.post(petJson({}))
      await service.fetch('/v1/pets/1')
      await service.fetch('/v1/pets')
    }

    beforeAll(async () => {
      service = await startMeasuredProcess({ databaseUrl: await engine.freshDatabaseUrl() })
      prometheus = await Prometheus.scraping(service.metricsUrl)
      await eventually('scrapes with work in between', async () => {
        await work()
        const rates = await prometheus.query('rate(petstore_requests_total{operation="createPet"}[1m]) > 0')
        return rates.length > 0 || undefined
      })
      await work()
    })
    afterAll(async () => {
      await prometheus.stop()
      expect(await service.stop()).toBe(0)
    })

    test('sees the figures of the service', async () => {
      const answered = await prometheus.query('sum by (operation) (petstore_requests_total{job="petstore"})')
      expect(answered.map(({ metric }) => metric.operation).toSorted()).toEqual([
        'createPet',
        'getPet',
        'listPets',
      ])
      const [info] = await prometheus.query('petstore_info')
      expect(info?.metric).toMatchObject({
        engine: name,
        environment: 'production',
        version: RELEASE,
      })
      const [stored] = await prometheus.query('petstore_store_batch_size_sum')
      expect(Number(stored?.value[1])).toBeGreaterThan(1)
    })

    test('finds the page of metrics clean, by promtool', async () => {
      const page = await (await fetch(service.metricsUrl)).text()
      expect(promtool(['check', 'metrics'], { input: page })).toMatchObject({ code: 0, text: '' })
    })

    test('has the alert rules loaded and can evaluate every one of them', async () => {
      const rules = await eventually('every rule was evaluated', async () => {
        const all = await prometheus.rules()
        return all.every(({ health }) => health !== 'unknown') ? all : undefined
      })
      expect(rules.length).toBeGreaterThan(10)
      expect(rules.filter(({ health }) => health !== 'ok')).toEqual([])
      expect(await prometheus.query('ALERTS{alertstate="firing"}')).toEqual([])
    })

    test.each(expressions)('has an answer for the panel "%s"', async (_title, expression) => {
      // A rate needs two scrapes, which a busy machine may delay.
      const expected = name === 'postgres' || !ONLY_WITH_A_POOL.test(expression)
      const found = await eventually('an answer', async () => {
        await work()
        const series = await prometheus.query(expression)
        return series.length > 0 === expected ? series : undefined
      })
      expect(found.length > 0).toBe(expected)
    })
  },
)

test('the dashboard has panels with ids of their own that do not overlap, and a query for each', () => {
  expect(dashboard).toMatchObject({ uid: 'petstore', title: 'Petstore', schemaVersion: 39 })
  expect(dashboard.templating.list.map(({ name }) => name)).toEqual(['datasource', 'job', 'instance'])
  const ids = dashboard.panels.map(({ id }) => id)
  expect(new Set(ids).size).toBe(ids.length)
  const cells = dashboard.panels.flatMap(({ gridPos: { x, y, w, h } }) =>
    Array.from({ length: w * h }, (_, cell) => `${x + (cell % w)},${y + Math.floor(cell / w)}`),
  )
  expect(new Set(cells).size).toBe(cells.length)
  for (const { type, title, gridPos, targets } of dashboard.panels) {
    expect(['row', 'stat', 'timeseries', 'table']).toContain(type)
    expect(title).not.toBe('')
    expect(gridPos.x + gridPos.w).toBeLessThanOrEqual(24)
    if (type !== 'row') expect(targets?.length).toBeGreaterThan(0)
  }
})
