import { test } from 'bun:test'
import { freshSqliteUrl } from '../support/service/folder.ts'
import { expectRefusedSetting } from '../support/service/refused-setting.ts'

const SECRET = 'secret-of-the-operator'
const TRACED = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:4318' }

const bad: [variable: string, flag: string, value: string][] = [
  ['PETSTORE_METRICS_PORT', '--metrics-port', 'nonsense'],
  ['PETSTORE_METRICS_PORT', '--metrics-port', '65536'],
  ['PETSTORE_METRICS_HOST', '--metrics-host', 'http://all'],
  ['OTEL_EXPORTER_OTLP_ENDPOINT', '--otlp-endpoint', 'collector:4317'],
  ['OTEL_EXPORTER_OTLP_ENDPOINT', '--otlp-endpoint', `https://user:${SECRET}@collector.example.org`],
  ['PETSTORE_REHEARSE_SUNSET', '--rehearse-sunset', 'yes'],
]
test.each(bad)(
  'a bad value stops the start with a sentence that names it: %s (%s) = %s',
  async (variable, flag, value) => {
    const valid = { ...TRACED, PORT: '0', DATABASE_URL: await freshSqliteUrl(), PETSTORE_METRICS_PORT: '0' }
    await expectRefusedSetting([variable, flag, value], valid, SECRET)
  },
)
