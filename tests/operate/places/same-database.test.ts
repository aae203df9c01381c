import { describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import { createKey, petstore } from '../../support/service/cli.ts'
import { onEveryEngineAsProcess } from '../../support/service/engines.ts'
import { freshFolder, freshSqliteUrl } from '../../support/service/folder.ts'
import { type ServiceProcess, startProcess } from '../../support/service/service-process.ts'

const portOf = (service: ServiceProcess): string => new URL(service.url).port

/** The output of commands that use a database, with these settings. */
async function notes(variables: Record<string, string>, ...flags: string[]): Promise<string[]> {
  const commands = [
    ['keys', 'list'],
    ['pets', 'export'],
  ]
  const all = await Promise.all(commands.map(command => petstore([...command, ...flags], variables)))
  expect(all.map(({ code }) => code)).toEqual(commands.map(() => 0))
  return all.map(
    ({ stderr }) => stderr.split('\n').filter(line => line.startsWith('petstore: Note: '))[0] ?? '',
  )
}

async function sameDatabase(variables: Record<string, string>, ...flags: string[]) {
  const { stdout } = await petstore(['doctor', '--json', ...flags], variables)
  const { findings } = JSON.parse(stdout) as { findings: { topic: string; level: string; text: string }[] }
  return findings.find(({ topic }) => topic === 'same database')
}

onEveryEngineAsProcess('commands beside a running service', (service, engine) => {
  test('say nothing where both use the same database', async () => {
    const variables = { DATABASE_URL: service().options.databaseUrl, PORT: portOf(service()) }
    expect(new Set(await notes(variables))).toEqual(new Set(['']))
    expect(await sameDatabase(variables)).toMatchObject({ level: 'ok' })
  })

  test('notice that it uses another database', async () => {
    const databaseUrl = await engine.freshDatabaseUrl()
    await createKey(databaseUrl, 'other')
    const variables = { DATABASE_URL: databaseUrl, PORT: portOf(service()) }
    for (const note of await notes(variables))
      expect(note).toContain(`The service at ${service().url} uses a different database than this one`)
    expect(await sameDatabase(variables)).toMatchObject({
      level: 'fail',
      text: expect.stringContaining('uses a different database than this one'),
    })
    const demo = await petstore(['demo', '--yes'], variables)
    expect(demo).toMatchObject({ code: 0, stderr: expect.stringContaining('uses a different database') })
  })

  test('notice that it is of another environment, and keep quiet where that was asked for', async () => {
    const databaseUrl = await engine.freshDatabaseUrl()
    await createKey(databaseUrl, 'other', '--env', 'staging')
    const staging = await startProcess({ databaseUrl, flags: ['--env', 'staging'] })
    const theirs = { DATABASE_URL: service().options.databaseUrl, PORT: portOf(staging) }
    for (const note of await notes(theirs)) expect(note).toContain('is staging; this is production, in ')
    expect(await sameDatabase(theirs)).toMatchObject({ level: 'fail' })
    const asked = { DATABASE_URL: databaseUrl, PORT: portOf(service()) }
    expect(new Set(await notes(asked, '--env', 'staging'))).toEqual(new Set(['']))
    await staging.stop()
  })

  test('tell where there is no database that the service has its own elsewhere', async () => {
    const variables = { DATABASE_URL: await engine.freshDatabaseUrl(), PORT: portOf(service()) }
    const { code, stderr } = await petstore(['keys', 'list'], variables)
    expect(code).not.toBe(0)
    expect(stderr).toContain(`The production service at ${service().url} has its database elsewhere.`)
  })

  test('the service says which database it uses by a mark that tells nothing else', async () => {
    const [live, ready] = [await service().fetch('/livez'), await service().fetch('/readyz')]
    expect(live.headers.get('petstore-store')).toMatch(/^production-[0-9a-f]{16}$/)
    expect(ready.headers.get('petstore-store')).toBe(live.headers.get('petstore-store'))
  })
})

describe('a copy of the database that the service uses', () => {
  test('is another database: a file', async () => {
    const databaseUrl = await freshSqliteUrl()
    await createKey(databaseUrl, 'first')
    const service = await startProcess({ databaseUrl })
    const copy = join(await freshFolder(), 'copy.db')
    await petstore(['backup', copy], { DATABASE_URL: databaseUrl, PORT: portOf(service) })
    const variables = { DATABASE_URL: `sqlite:${copy}`, PORT: portOf(service) }
    const again = await petstore(['backup', `${copy}.again`], variables)
    expect(again).toMatchObject({ code: 0, stderr: expect.stringContaining('uses a different database') })
    await service.stop()
  })

  test('is another database: the one it was moved to', async () => {
    const [from, to] = [await freshSqliteUrl(), await freshSqliteUrl()]
    const service = await startProcess({ databaseUrl: from })
    expect(await petstore(['copy', '--from', from, '--to', to])).toMatchObject({ code: 0 })
    expect(await sameDatabase({ DATABASE_URL: to, PORT: portOf(service) })).toMatchObject({ level: 'fail' })
    await service.stop()
  })
})
