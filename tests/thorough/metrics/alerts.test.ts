import { expect } from 'bun:test'
import { cpSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { needs } from '../../support/programs/needs.ts'
import { DEPLOY, promtool } from '../../support/programs/prometheus.ts'
import { freshFolder } from '../../support/service/folder.ts'

const { test } = needs('promtool')
const CASES = join(import.meta.dir, 'alerts.promtool.yml')

test('promtool accepts the configuration and the rules that it loads', () => {
  const { code, text } = promtool(['check', 'config', join(DEPLOY, 'prometheus.yml')])
  expect(text).toContain('SUCCESS: 1 rule files found')
  expect(code).toBe(0)
})

test('every alert fires on what it is for, and none on a service that is well', async () => {
  const folder = await freshFolder()
  cpSync(join(DEPLOY, 'alerts.yml'), join(folder, 'alerts.yml'))
  cpSync(CASES, join(folder, 'cases.yml'))
  const { code, text } = promtool(['test', 'rules', 'cases.yml'], { cwd: folder })
  expect(text).toContain('SUCCESS')
  expect(code).toBe(0)

  const alerts = [...(await readFile(join(folder, 'alerts.yml'), 'utf8')).matchAll(/alert: (\w+)/g)]
  const cases = await readFile(CASES, 'utf8')
  expect(alerts.length).toBeGreaterThan(5)
  for (const [, alert] of alerts) expect(cases).toContain(`alertname="${alert}"`)
})
