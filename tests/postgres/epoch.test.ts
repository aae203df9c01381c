import { expect, test } from 'bun:test'
import type { Observe } from '../../src/observability/events.ts'
import { petJson } from '../support/http.ts'
import { freshPostgresUrl, onInsert, PostgresServer, query } from '../support/postgres.ts'
import { eventually } from '../support/process.ts'
import { startService } from '../support/service.ts'
import { addTo, failureOf, openStore } from '../support/store.ts'
import { TcpProxy } from '../support/tcp-proxy.ts'

const END_CONNECTIONS =
  "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'petstore'"
/** The service looks every second. */
const NOTICED_MS = 20_000

test.concurrent('a server that could lose commits, or has lost some, is refused, at the start and later', async () => {
  await using server = await PostgresServer.create({ fsync: 'off' })
  const databaseUrl = await server.freshDatabaseUrl()
  const configure = async (name: string, value: string): Promise<void> => {
    server.configure({ [name]: value })
    await server.query('SELECT pg_reload_conf()')
    await eventually(`${name} is ${value}`, async () => {
      const [row] = await server.query<Record<string, string>>(`SHOW ${name}`)
      return row?.[name] === value || undefined
    })
  }
  await expect(openStore(databaseUrl)).rejects.toThrow("PostgreSQL's fsync is off")
  await configure('fsync', 'on')
  await configure('full_page_writes', 'off')
  await expect(openStore(databaseUrl)).rejects.toThrow("PostgreSQL's full_page_writes is off")
  await configure('full_page_writes', 'on')
  await configure('synchronous_commit', 'local')
  await configure('synchronous_standby_names', 'second')
  const sentence = 'synchronous_commit is local, but synchronous_standby_names lists standbys'
  await expect(openStore(databaseUrl)).rejects.toThrow(sentence)
  await configure('synchronous_standby_names', '')
  const refused: string[] = []
  const observe: Observe = event => {
    if (event.kind === 'database-refused') refused.push(event.reason)
  }
  await using store = await openStore(databaseUrl, { create: true, observe })
  await addTo(store)
  // A standby that is away: the wait for it is cancelled after two seconds, of which only a warning tells.
  await configure('synchronous_commit', 'off')
  await configure('client_min_messages', 'error')
  await configure('synchronous_standby_names', 'second')
  expect(await eventually('commits wait', () => failureOf(addTo(store)))).toBe('OutcomeUnknown')
  expect(await failureOf(store.ping())).toBe('OutcomeUnknown')
  const [stored] = await query<{ id: string }>(databaseUrl, 'SELECT max(id) AS id FROM pets')
  expect(await store.revision()).toBe(BigInt(stored?.id ?? 0) - 1n)
  await configure('synchronous_standby_names', '')
  await addTo(store)
  await configure('fsync', 'off')
  await eventually('it is noticed', () => refused[0], NOTICED_MS)
  await expect(addTo(store)).rejects.toMatchObject({ name: 'StorageUnavailable' })
  await expect((async () => store.ping())()).rejects.toMatchObject({ name: 'StorageUnavailable' })
  await configure('fsync', 'on')
  await eventually('it is ready', async () => ((await failureOf(store.ping())) ? undefined : true))
  await addTo(store)
  // As from an older backup.
  await query(databaseUrl, 'DELETE FROM pets')
  await server.stop()
  await server.start()
  await eventually('it is noticed', () => refused[1], NOTICED_MS)
  expect(refused).toEqual([
    "PostgreSQL's fsync is off, so a power cut could lose animals.",
    expect.stringContaining('restarted with fewer animals than before'),
  ])
})

test.concurrent('when the server has lost its last commits, no cached response shows them, and the service says so until it is restarted', async () => {
  const databaseUrl = await freshPostgresUrl()
  using service = await startService({ databaseUrl })
  const { pet } = await service.post(petJson({}))
  const read = async () => {
    const answers = [await service.fetch(`/v1/pets/${pet.id}`), await service.fetch('/v1/pets?limit=1')]
    return answers.map(({ text }) => text.includes('Rex'))
  }
  await service.post(petJson({}))
  expect(await read()).toEqual([true, true])
  await query(databaseUrl, 'TRUNCATE pets')
  await eventually(
    'nothing is shown',
    async () => ((await read()).includes(true) ? undefined : true),
    NOTICED_MS,
  )
  const refused = await service.fetch('/readyz')
  expect(refused).toHaveStatus(503)
  expect(refused.text).toContain('restart the service to go on with what is there')
  await service.output.entry(({ event }) => event === 'database-refused')
  const reasons = service.output.log.flatMap(({ event, reason }) =>
    event === 'database-refused' ? reason : [],
  )
  expect(reasons).toEqual([expect.stringContaining('restarted with fewer animals than before')])
  expect(await service.post(petJson({}))).toHaveStatus(503)
  using restarted = await startService({ databaseUrl })
  expect((await restarted.post(petJson({}))).pet.id).toBe(2n + 2n ** 20n + 1n)
})

test.concurrent('a connection made before that is not used again', async () => {
  const databaseUrl = await freshPostgresUrl()
  await using store = await openStore(databaseUrl)
  await query(databaseUrl, 'CREATE TABLE used (pid integer)')
  const note = 'INSERT INTO used VALUES (pg_backend_pid())'
  await onInsert(databaseUrl, 'pets', 'before', note)
  await addTo(store)
  await query(
    databaseUrl,
    'CREATE TABLE old AS SELECT pid FROM pg_stat_activity; CLUSTER pets USING pets_pkey',
  )
  await eventually('it is noticed', () => store.epoch() > 0 || undefined, NOTICED_MS)
  await addTo(store)
  const isOld = await query(databaseUrl, 'SELECT pid IN (TABLE old) AS is_old FROM used')
  expect(isOld).toEqual([{ is_old: true }, { is_old: false }])
})

test.concurrent.each<[how: string, lose: (link: TcpProxy, url: string) => unknown]>([
  ['hangs', link => link.hang()],
  ['is cut while it is idle', (_link, url) => query(url, END_CONNECTIONS)],
])('a connection that %s begins a new epoch, because another server may take over', async (_how, lose) => {
  const direct = new URL(await freshPostgresUrl())
  const link = await TcpProxy.to(Number(direct.port))
  await using store = await openStore(direct.href.replace(`:${direct.port}/`, `:${link.port}/`))
  const before = store.epoch()
  await lose(link, direct.href)
  await eventually('a new epoch', () => store.epoch() > before || undefined, NOTICED_MS)
  link.close()
})
