import { expect } from 'bun:test'
import { spawnSync } from 'node:child_process'
import { cpSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { petJson } from '../../support/http.ts'
import { MEASURED, scrape } from '../../support/metrics.ts'
import { freshFolder } from '../../support/process.ts'
import { DEPLOY, needs, program } from '../../support/programs.ts'
import { engines, startService } from '../../support/service.ts'

const { test } = needs('promtool')

interface Dashboard {
  readonly panels: readonly { readonly targets?: readonly { readonly expr: string }[] }[]
}

const CASES = join(import.meta.dir, 'alerts.promtool.yml')

/** Runs promtool; returns its exit code and output. */
function promtool(args: readonly string[], options: { cwd?: string; input?: string } = {}) {
  const ran = spawnSync(program('promtool'), args, { encoding: 'utf8', ...options })
  return { code: ran.status, text: ran.stdout + ran.stderr }
}

test.each(engines)('promtool finds the metrics of a service on $name clean', async engine => {
  const service = await startService({ databaseUrl: await engine.freshDatabaseUrl(), variables: MEASURED })
  await service.post(petJson({}))
  await service.fetch('/v1/pets')
  const { text: input } = await scrape(service)
  expect(promtool(['check', 'metrics'], { input })).toEqual({ code: 0, text: '' })
  await service.stop()
})

test('every panel of the dashboard asks in PromQL', async () => {
  const { panels } = (await Bun.file(join(DEPLOY, 'grafana.json')).json()) as Dashboard
  const asked = panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr))
  expect(asked.length).toBeGreaterThan(10)
  // Rules are the expressions that promtool checks. Grafana replaces what begins with a $.
  const rules = asked.map((expr, n) => ({ record: `panel_${n}`, expr: expr.replaceAll(/\$\w+/g, '10s') }))
  const file = join(await freshFolder(), 'panels.yml')
  await writeFile(file, JSON.stringify({ groups: [{ name: 'panels', rules }] }))
  expect(promtool(['check', 'rules', file]).text).toContain(`SUCCESS: ${asked.length} rules found`)
})

test('every alert fires on what it is for, and none on a service that is well', async () => {
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
})
