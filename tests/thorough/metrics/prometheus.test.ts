import { expect, test } from 'bun:test'
import { spawnSync } from 'node:child_process'
import { cpSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { RELEASE } from '../../../src/this-program.ts'
import { petJson } from '../../support/http.ts'
import { eventually, freePort, freshFolder } from '../../support/process.ts'
import { Beside, DEPLOY, needs, program } from '../../support/programs.ts'
import { engines, startMeasuredProcess } from '../../support/service.ts'

const { afterAll, beforeAll, describe } = needs('prometheus', 'promtool')

interface Dashboard {
  readonly panels: readonly {
    readonly title: string
    readonly targets?: readonly { readonly expr: string }[]
  }[]
}

const CASES = join(import.meta.dir, 'alerts.promtool.yml')
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

interface Series {
  readonly metric: Readonly<Record<string, string>>
  readonly value: readonly [time: number, value: string]
}

/** Runs promtool; returns its exit code and output. */
function promtool(args: readonly string[], options: { cwd?: string; input?: string } = {}) {
  const ran = spawnSync(program('promtool'), args, { encoding: 'utf8', ...options })
  return { code: ran.status, text: ran.stdout + ran.stderr }
}

/** A real Prometheus with deploy/prometheus.yml and deploy/alerts.yml; only its targets and intervals differ. */
async function startPrometheus(metricsUrl: string) {
  const [folder, port] = [await freshFolder(), await freePort()]
  const given = await readFile(join(DEPLOY, 'prometheus.yml'), 'utf8')
  const target = given.replace('127.0.0.1:9464', new URL(metricsUrl).host)
  await writeFile(join(folder, 'prometheus.yml'), target.replaceAll('interval: 15s', 'interval: 1s'))
  cpSync(join(DEPLOY, 'alerts.yml'), join(folder, 'alerts.yml'))
  const server = new Beside([
    program('prometheus'),
    `--config.file=${folder}/prometheus.yml`,
    `--storage.tsdb.path=${folder}/data`,
    `--web.listen-address=127.0.0.1:${port}`,
  ])
  const get = async <Data>(path: string): Promise<Data> => {
    const response = await fetch(`http://127.0.0.1:${port}/api/v1/${path}`)
    const answer = (await response.json()) as { status: string; error?: string; data: Data }
    if (answer.status !== 'success') throw new Error(`Prometheus refuses ${path}: ${answer.error}`)
    return answer.data
  }
  const query = async (expression: string): Promise<readonly Series[]> =>
    (await get<{ result: Series[] }>(`query?query=${encodeURIComponent(expression)}`)).result
  /** The loaded rules by name, with their health at the last evaluation. */
  const rules = async () =>
    (await get<{ groups: { rules: { name: string; health: string }[] }[] }>('rules')).groups.flatMap(
      group => group.rules,
    )
  await server.until('Prometheus scrapes', async () => (await query('up == 1')).length > 0)
  return { query, rules, stop: () => server.stop() }
}

describe.each(engines.map(engine => [engine.name, engine] as const))(
  'a real Prometheus beside a service on %s',
  (name, engine) => {
    let service: Awaited<ReturnType<typeof startMeasuredProcess>>
    let prometheus: Awaited<ReturnType<typeof startPrometheus>>

    const work = async (): Promise<void> => {
      await service.post(petJson({}))
      await service.fetch('/v1/pets/1')
      await service.fetch('/v1/pets')
    }

    beforeAll(async () => {
      service = await startMeasuredProcess({ databaseUrl: await engine.freshDatabaseUrl() })
      prometheus = await startPrometheus(service.metricsUrl)
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

    test('sees the figures of the service, which promtool finds clean', async () => {
      const input = await (await fetch(service.metricsUrl)).text()
      expect(promtool(['check', 'metrics'], { input })).toEqual({ code: 0, text: '' })
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

needs('promtool').test(
  'every alert fires on what it is for, and none on a service that is well',
  async () => {
    const config = promtool(['check', 'config', join(DEPLOY, 'prometheus.yml')])
    expect(config).toMatchObject({ code: 0, text: expect.stringContaining('SUCCESS: 1 rule files found') })
    const folder = await freshFolder()
    cpSync(join(DEPLOY, 'alerts.yml'), join(folder, 'alerts.yml'))
    cpSync(CASES, join(folder, 'cases.yml'))
    const tried = promtool(['test', 'rules', 'cases.yml'], { cwd: folder })
    expect(tried).toMatchObject({ code: 0, text: expect.stringContaining('SUCCESS') })
    const alerts = [...(await readFile(join(folder, 'alerts.yml'), 'utf8')).matchAll(/alert: (\w+)/g)]
    const cases = await readFile(CASES, 'utf8')
    for (const [, alert] of alerts) expect(cases).toContain(`alertname="${alert}"`)
  },
)
