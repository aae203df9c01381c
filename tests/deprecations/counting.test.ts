import { describe, expect, test } from 'bun:test'
import { petJson } from '../support/http/exact.ts'
import { createKey, petstore } from '../support/service/cli.ts'
import { makeEmptyStore } from '../support/service/empty-store.ts'
import { engines } from '../support/service/engines.ts'
import { scrape, startMeasuredProcess } from '../support/service/metrics.ts'
import { eventually } from '../support/service/process.ts'
import { type ServiceProcess, startProcess } from '../support/service/service-process.ts'

interface Report {
  readonly operation: string
  readonly sunset: string
  readonly daysRemaining: number
  readonly replacement: string
  readonly keys: readonly {
    readonly id: string
    readonly name: string
    readonly state: string
    readonly calls: number
    readonly lastCallAt: string
  }[]
}

const SUNSET = Date.UTC(2030, 11, 5)
const WRITTEN_WITHIN_MS = 15_000

async function reportOf(databaseUrl: string): Promise<Report> {
  const { code, stdout, stderr } = await petstore(['deprecations', '--json'], { DATABASE_URL: databaseUrl })
  if (code !== 0) throw new Error(stderr)
  const [report] = JSON.parse(stdout) as Report[]
  if (report === undefined) throw new Error('There is no report')
  return report
}

const callsOf = ({ keys }: Report) => Object.fromEntries(keys.map(({ name, calls }) => [name, calls]))

async function getPet(service: ServiceProcess, key: string, times: number): Promise<void> {
  for (let n = 0; n < times; n++) await service.fetch('/v1/pets/1', { key })
}

describe.each(engines.map(engine => [engine.name, engine] as const))(
  'deprecated calls on %s',
  (_name, engine) => {
    test('no key is named before the first call', async () => {
      const databaseUrl = await engine.freshDatabaseUrl()
      await makeEmptyStore(databaseUrl)
      const { code, stdout } = await petstore(['deprecations'], { DATABASE_URL: databaseUrl })
      expect(code).toBe(0)
      expect(stdout).toMatch(
        /^getPet will be removed on 5 December 2030: \d+ days remain\. Its replacement: GET \/pets with a status filter\.\nNo API key has called it\.\n$/,
      )
      expect((await reportOf(databaseUrl)).keys).toEqual([])
    })

    test('are counted by key, kept over a restart and over a stop, and added up', async () => {
      const databaseUrl = await engine.freshDatabaseUrl()
      const [shop, mobile] = [
        await createKey(databaseUrl, 'shop front'),
        await createKey(databaseUrl, 'mobile'),
      ]
      const started = Date.now()
      const first = await startProcess({ databaseUrl })
      await first.post(petJson({}))
      await getPet(first, shop, 3)
      await first.fetch('/v1/pets/1', { method: 'HEAD', key: shop })
      await first.fetch('/v1/pets/999', { key: mobile })
      // None of these is an authenticated call of the operation.
      await first.fetch('/v1/pets', { key: mobile })
      await first.fetch('/v1/pets/1', { key: null })
      await first.fetch('/v1/pets/1', { method: 'DELETE', key: mobile })
      const second = await first.restart()
      expect(callsOf(await reportOf(databaseUrl))).toEqual({ 'shop front': 4, mobile: 1 })
      await getPet(second, shop, 2)
      await second.stop()

      const report = await reportOf(databaseUrl)
      expect(callsOf(report)).toEqual({ 'shop front': 6, mobile: 1 })
      expect(report).toMatchObject({ operation: 'getPet', sunset: '2030-12-05T00:00:00.000Z' })
      expect(report.daysRemaining).toBe(Math.max(0, Math.ceil((SUNSET - Date.now()) / 86_400_000)))
      const [latest] = report.keys
      expect(latest).toMatchObject({ name: 'shop front', state: 'active' })
      expect(latest?.id).toMatch(/^key_[0-9a-f]{12}$/)
      expect(Date.parse(latest?.lastCallAt ?? '')).toBeWithin(started, Date.now() + 1)

      const { stdout } = await petstore(['deprecations'], { DATABASE_URL: databaseUrl })
      expect(stdout).toMatch(/KEY +NAME +CALLS +LAST CALL +STATE\n/)
      expect(stdout).toMatch(/key_\w{12} +shop front +6 +\d{4}-\d\d-\d\d \d\d:\d\d +active\n/)
      expect(stdout).not.toContain(shop)
    })

    test('are written down while the service runs, and all but the last seconds survive a kill', async () => {
      const databaseUrl = await engine.freshDatabaseUrl()
      const key = await createKey(databaseUrl, 'shop front')
      const service = await startProcess({ databaseUrl })
      await getPet(service, key, 5)
      const kept = async () => {
        const calls = callsOf(await reportOf(databaseUrl))
        return calls['shop front'] === 5 ? calls : undefined
      }
      await eventually('the calls are written down', kept, WRITTEN_WITHIN_MS)
      await service.kill()
      expect(await kept()).toEqual({ 'shop front': 5 })
    })

    test('of several instances on one database add up, and the metrics of each tell of all', async () => {
      const databaseUrl = await engine.freshDatabaseUrl()
      const key = await createKey(databaseUrl, 'shop front')
      const [one, two] = [
        await startMeasuredProcess({ databaseUrl }),
        await startMeasuredProcess({ databaseUrl }),
      ]
      await Promise.all([getPet(one, key, 7), getPet(two, key, 5), getPet(two, key, 4)])
      const { id } = await eventually(
        'the calls add up',
        async () => (await reportOf(databaseUrl)).keys.find(({ calls }) => calls === 16),
        WRITTEN_WITHIN_MS,
      )
      for (const { metricsUrl } of [one, two])
        await eventually(
          'the metrics tell of all instances',
          async () => {
            const seen = await scrape(metricsUrl)
            const labels = `{operation="getPet",key_id="${id}"}`
            const last = seen.get(`petstore_deprecated_key_last_call_timestamp_seconds${labels}`) ?? 0
            return (
              (seen.get('petstore_deprecated_keys{operation="getPet"}') === 1 &&
                seen.get(`petstore_deprecated_key_calls${labels}`) === 16 &&
                Math.abs(Date.now() / 1000 - last) < 60) ||
              undefined
            )
          },
          20_000,
        )
      expect((await scrape(one.metricsUrl)).get('petstore_deprecated_calls_total{operation="getPet"}')).toBe(
        7,
      )
      expect(await Promise.all([one.stop(), two.stop()])).toEqual([0, 0])
    })

    test('by the key of the settings and by a key that was revoked since are named as what they are', async () => {
      const databaseUrl = await engine.freshDatabaseUrl()
      const key = await createKey(databaseUrl, 'old')
      const service = await startProcess({ databaseUrl })
      await service.fetch('/v1/pets/1')
      await getPet(service, key, 1)
      await service.stop()
      await petstore(['keys', 'revoke', 'old', '--yes'], { DATABASE_URL: databaseUrl })
      const { keys } = await reportOf(databaseUrl)
      expect(keys.map(({ name, state }) => [name, state]).toSorted()).toEqual([
        ['PETSTORE_API_KEY', 'from the settings'],
        ['old', 'revoked'],
      ])
    })
  },
)
