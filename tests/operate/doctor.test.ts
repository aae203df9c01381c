import { Database } from 'bun:sqlite'
import { describe, expect, test } from 'bun:test'
import { existsSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { freePort } from '../support/http/free-port.ts'
import { Collector } from '../support/programs/collector.ts'
import { createKey, petstore } from '../support/service/cli.ts'
import { onEveryEngine } from '../support/service/engines.ts'
import { freshFolder, freshSqliteUrl } from '../support/service/folder.ts'
import { eventually, type Variables } from '../support/service/process.ts'
import { API_KEY, startService } from '../support/service/service.ts'

interface Report {
  readonly settings: { variable: string; value: string; from: string }[]
  readonly findings: { topic: string; level: string; text: string }[]
}

async function doctor(variables: Variables, ...flags: string[]) {
  const { code, stdout, stderr } = await petstore(['doctor', '--json', ...flags], variables)
  const report = JSON.parse(stdout) as Report
  const levels = Object.fromEntries(report.findings.map(({ topic, level }) => [topic, level]))
  const text = (topic: string) => report.findings.find(finding => finding.topic === topic)?.text ?? ''
  return { code, stdout, stderr, levels, text, ...report }
}

onEveryEngine('doctor', (service, engine) => {
  test('finds a running service in order and ends with 0', async () => {
    const { port } = new URL(service().url)
    const { databaseUrl } = service().options
    const { code, levels, text, stderr } = await doctor({
      DATABASE_URL: databaseUrl,
      PORT: port,
      PETSTORE_API_KEY: API_KEY,
      PETSTORE_BASE_URL: `${service().url}/v1`,
    })
    expect(Object.entries(levels).filter(([, level]) => level === 'fail')).toEqual([])
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(text('database')).toMatch(engine.name === 'sqlite' ? /SQLite \d/ : /PostgreSQL \d/)
    expect(text('durability')).toContain('a 201 is on the disk')
    for (const topic of ['service', 'public address', 'clock', 'API keys', 'schema'])
      expect(levels[topic]).toBe('ok')
  })

  test('looks and changes nothing: an empty database stays empty', async () => {
    const databaseUrl = await engine.freshDatabaseUrl()
    const variables = { DATABASE_URL: databaseUrl, PORT: String(await freePort()) }
    for (let round = 0; round < 2; round++) {
      const { code, text, levels } = await doctor(variables)
      expect(code).toBe(1)
      expect(text('animals')).toMatch(/^There is no (database at|petstore in) .* serve" creates a new one\.$/)
      expect(levels).toMatchObject({ animals: 'fail', service: 'fail' })
    }
    const checked = await petstore(['serve', '--check'], variables)
    expect(checked).toMatchObject({ code: 0, stderr: '' })
    expect(checked.stdout).toMatch(/^The settings are valid, and [^\n]+ Nothing was started\.\n$/)
    if (engine.name === 'sqlite') expect(existsSync(databaseUrl.replace('sqlite:', ''))).toBe(false)
  })

  test('serve --check does not disturb a service that runs', async () => {
    const { port } = new URL(service().url)
    const checked = await petstore(['serve', '--check', '--port', port], {
      DATABASE_URL: service().options.databaseUrl,
    })
    expect(checked.code).toBe(0)
    expect((await service().fetch('/readyz')).status).toBe(200)
  })
})

describe('doctor', () => {
  test('says of each setting where it came from, and shows no secret', async () => {
    const variables = {
      DATABASE_URL: 'postgres://user:canary-1@127.0.0.1:1/pets?password=canary-2',
      PETSTORE_API_KEY: 'canary-3-canary-3-canary-3',
      HOST: '127.0.0.1',
    }
    const { stdout, stderr, settings } = await doctor(variables, '--port', '1')
    expect(stdout + stderr).not.toContain('canary')
    const from = Object.fromEntries(settings.map(setting => [setting.variable, setting.from]))
    expect(from).toMatchObject({ PORT: '--port', HOST: 'variable', PETSTORE_ENV: 'default' })
    const plain = await petstore(['doctor', '--port', '1'], variables)
    expect(plain.stdout).toMatch(/^DATABASE_URL +postgres:\/\/127\.0\.0\.1:1\/pets +variable$/m)
    expect(plain.stdout).not.toContain('canary')
  })

  test.each([
    'mysql://user:canary@host/pets?password=canary',
    'postgres://user:sl/canary@host/pets',
    'postgres://user:canary@at@host/pets',
    'postgres://user:canary?mark@host/pets',
    'host=b user=u password=canary',
  ])('shows no secret of a setting that is not even valid: %s', async url => {
    const { code, stdout, stderr, levels } = await doctor({
      DATABASE_URL: url,
      PETSTORE_BASE_URL: 'https://user:canary@pets.example.org/v1',
    })
    expect(code).toBe(1)
    expect(levels).toEqual({ settings: 'fail' })
    expect(stdout + stderr).not.toContain('canary')
  })

  test('tells a damaged database, one of the other environment, and a server that is not there', async () => {
    const damaged = join(await freshFolder(), 'a.db')
    await writeFile(damaged, 'no database')
    const staging = await freshSqliteUrl()
    await petstore(['keys', 'create', '--create', '--name', 'x', '--env', 'staging'], {
      DATABASE_URL: staging,
    })
    const cases = [`sqlite:${damaged}`, staging, 'postgres://127.0.0.1:1/pets']
    const texts = [/not an SQLite database/, /belongs to staging/, /does not answer/]
    for (const [index, url] of cases.entries()) {
      const { code, levels, text } = await doctor({ DATABASE_URL: url, PORT: '0' })
      expect({ code, level: levels.database }).toEqual({ code: 1, level: 'fail' })
      expect(text('database')).toMatch(texts[index] as RegExp)
      const checked = await petstore(['serve', '--check'], { DATABASE_URL: url })
      expect(checked).toMatchObject({ code: 1, stdout: '' })
      expect(checked.stderr).toMatch(/^petstore: [^\n]+\n$/)
    }
  })

  test('finds a folder, a name that is too long and a host that is none in the place of a database', async () => {
    const folder = await freshFolder()
    const cases: [url: string, topic: string, reason: RegExp][] = [
      [`sqlite:${folder}`, 'database', /is not a file/],
      ['sqlite:/dev/null', 'database', /is not a file/],
      [`sqlite:${folder}/${'x'.repeat(5000)}`, 'database', /ENAMETOOLONG/],
      ['postgres://user:canary@[::1', 'settings', /names a host that cannot be understood/],
    ]
    for (const [url, topic, reason] of cases) {
      const { code, text, stdout, stderr } = await doctor({ DATABASE_URL: url, PORT: '0' })
      expect(code).toBe(1)
      expect(text(topic)).toMatch(reason)
      for (const command of [['serve', '--check'], ['pets', 'export'], ['deprecations']]) {
        const ran = await petstore(command, { DATABASE_URL: url })
        expect(ran.code).not.toBe(0)
        expect(ran.stdout).toBe('')
        expect(ran.stderr).toMatch(/^petstore: [^\n]+\.\n$/)
      }
      expect(stdout + stderr).not.toContain('canary')
    }
  })

  test('names a variable that is misspelt, as advice', async () => {
    const databaseUrl = await freshSqliteUrl()
    await createKey(databaseUrl, 'x')
    const variables = { DATABASE_URL: databaseUrl, PORT: '0', PETSTORE_BACKUP_EVRY: '6h' }
    const { code, levels, text } = await doctor(variables)
    expect({ code, level: levels.settings }).toEqual({ code: 0, level: 'advice' })
    expect(text('settings')).toContain('PETSTORE_BACKUP_EVRY')
  })

  test('tells a folder for backups that cannot be one, as does serve --check', async () => {
    const variables = {
      DATABASE_URL: await freshSqliteUrl(),
      PORT: '0',
      PETSTORE_BACKUP_EVERY: '6h',
      PETSTORE_BACKUP_DIR: join(import.meta.path, 'backups'),
    }
    expect((await doctor(variables)).levels['backup folder']).toBe('fail')
    const { code, stderr } = await petstore(['serve', '--check'], variables)
    expect(code).toBe(1)
    expect(stderr).toMatch(
      /^petstore: [^\n]+ is not a folder\.\n$|^petstore: Backups cannot be written [^\n]+\.\n$/,
    )
    const good = await doctor({ ...variables, PETSTORE_BACKUP_DIR: join(await freshFolder(), 'a', 'b') })
    expect(good.levels['backup folder']).toBe('ok')
  })

  test('asks for the metrics and the collector where there should be some', async () => {
    const databaseUrl = await freshSqliteUrl()
    const collector = new Collector()
    const metricsPort = String(await freePort())
    const variables = { PETSTORE_METRICS_PORT: metricsPort, OTEL_EXPORTER_OTLP_ENDPOINT: collector.endpoint }
    const service = await startService({ databaseUrl, variables })
    const look = () => doctor({ ...variables, DATABASE_URL: databaseUrl, PORT: '0' })
    expect((await look()).levels).toMatchObject({ metrics: 'ok', collector: 'ok' })
    await service.stop()
    await collector.stop()
    expect((await look()).levels).toMatchObject({ metrics: 'fail', collector: 'advice' })
  })

  test('tells another program on the port, and a clock that went back', async () => {
    const databaseUrl = await freshSqliteUrl()
    await createKey(databaseUrl, 'x')
    const database = new Database(databaseUrl.replace('sqlite:', ''))
    database.run('UPDATE api_keys SET last_used_at = ?', [Date.now() + 3_600_000])
    database.close()
    const other = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: () => new Response('hello') })
    const { levels, text } = await doctor({ DATABASE_URL: databaseUrl, PORT: String(other.port) })
    await other.stop(true)
    expect(text('service')).toContain('another program')
    expect(levels).toMatchObject({ service: 'fail', clock: 'fail', 'API keys': 'ok' })
  })

  test('knows the last backup, advises where there is none, and tells one that is overdue', async () => {
    const databaseUrl = await freshSqliteUrl()
    const service = await startService({ databaseUrl })
    const variables = { DATABASE_URL: databaseUrl, PORT: '0' }
    expect((await doctor(variables)).levels.backup).toBe('advice')
    const file = join(await freshFolder(), 'b.db')
    await petstore(['backup', file], variables)
    const made = await doctor(variables)
    expect(made.text('backup')).toBe(`less than a minute ago, ${file}`)
    await eventually('the backup is overdue', async () => {
      const { levels } = await doctor({ ...variables, PETSTORE_BACKUP_EVERY: '1s' })
      return levels.backup === 'fail' || undefined
    })
    await service.stop()
  })
})
