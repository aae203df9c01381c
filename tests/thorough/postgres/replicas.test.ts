import { afterAll, beforeAll, expect, test } from 'bun:test'
import { petJson } from '../../support/http/exact.ts'
import { PostgresServer } from '../../support/postgres/server.ts'
import { petstore } from '../../support/service/cli.ts'
import { makeEmptyStore } from '../../support/service/empty-store.ts'
import { scrape, startMeasuredProcess } from '../../support/service/metrics.ts'
import { eventually } from '../../support/service/process.ts'
import { type ServiceProcess, startProcess } from '../../support/service/service-process.ts'

let primary: PostgresServer
/** Where pages are read. */
let replica: PostgresServer
let database: string
let service: Awaited<ReturnType<typeof startMeasuredProcess>>
beforeAll(async () => {
  primary = await PostgresServer.create()
  database = new URL(await primary.freshDatabaseUrl()).pathname.slice(1)
  await primary.stop()
  replica = await PostgresServer.standbyOf(primary, 'replica', primary.port)
  await Promise.all([primary.start(), replica.start()])
  service = await startMeasuredProcess({
    databaseUrl: primary.url(database),
    variables: { PETSTORE_REPLICA_URL: replica.url(database) },
  })
})
afterAll(async () => {
  await Promise.all([primary.remove(), replica.remove()])
})

let asked = 0
/** Another URL each time, so that no page is kept. */
const readPets = async (by: ServiceProcess = service, limit = 100) => {
  const { status, pets } = await by.fetch(`/v1/pets?limit=${limit}&n=${asked++}`)
  expect(status).toBe(200)
  return pets
}
const newest = async () => (await readPets()).at(-1)?.id ?? 0n
const add = async (name = 'Rex', to: ServiceProcess = service) => (await to.post(petJson({ name }))).pet.id

const pagesFrom = async (outcome: string, by = service): Promise<number> =>
  (await scrape(by.metricsUrl)).get(`petstore_replica_pages_total{outcome="${outcome}"}`) ?? 0

/** Reads until pages have come from there. */
async function untilFrom(outcome: string, pages = 1): Promise<void> {
  const before = await pagesFrom(outcome)
  await eventually(`${pages} pages from: ${outcome}`, async () => {
    await readPets()
    return (await pagesFrom(outcome)) >= before + pages || undefined
  })
}

async function newestOn(server: PostgresServer): Promise<bigint> {
  const [row] = await server.query<{ max: string | null }>('SELECT max(id) AS max FROM pets', database)
  return BigInt(row?.max ?? 0)
}
const untilItHas = (server: PostgresServer, id: bigint) =>
  eventually(`the standby has animal ${id}`, async () => (await newestOn(server)) >= id || undefined)

async function pauseReplay(): Promise<void> {
  await replica.query('SELECT pg_wal_replay_pause()')
  await eventually('replay is paused', async () => {
    const [row] = await replica.query<{ state: string }>('SELECT pg_get_wal_replay_pause_state() AS state')
    return row?.state === 'paused' || undefined
  })
}
const resumeReplay = () => replica.query('SELECT pg_wal_replay_resume()')

test('pages are read on a standby, last pages and others, and are those of the primary', async () => {
  for (let n = 0; n < 5; n++) await add(`first ${n}`)
  await untilFrom('replica', 10)
  const names = (pets: readonly { name: string }[]) => pets.map(({ name }) => name)
  expect(names(await readPets())).toEqual(names(await readPets(service, 5)))
  const before = await pagesFrom('replica')
  await eventually('a page that another follows comes from there', async () => {
    expect(names(await readPets(service, 2))).toEqual(['first 0', 'first 1'])
    return (await pagesFrom('replica')) > before || undefined
  })
})

test('while the standby does not follow, a read after a 201 shows the animal', async () => {
  await untilFrom('replica')
  await pauseReplay()
  await add()
  await untilFrom('behind')
  for (let n = 0; n < 20; n++) {
    const id = await add()
    expect(await newest()).toBe(id)
    expect(await newestOn(replica)).toBeLessThan(id)
  }
  await resumeReplay()
  await untilFrom('replica')
})

test('a crowd that reads while the standby follows by fits and starts misses no animal', async () => {
  let acknowledged = 0n
  let isOver = false
  const missed: string[] = []
  const read = async () => {
    while (!isOver) {
      const due = acknowledged
      const found = await newest()
      if (found < due) missed.push(`${due}, but ${found} was the newest`)
    }
  }
  const reading = Promise.all(Array.from({ length: 6 }, read))
  for (let n = 0; n < 30; n++) {
    if (n % 6 === 2) await pauseReplay()
    if (n % 6 === 5) await resumeReplay()
    acknowledged = await add()
    // The crowd must have read on the standby before it stops again.
    if (n % 6 === 1) await untilFrom('replica')
  }
  isOver = true
  await reading
  expect(missed.slice(0, 5)).toEqual([])
})

test('an animal that only the standby shows, because its commit still waits on the primary, is not listed', async () => {
  const last = await add()
  await untilItHas(replica, last)
  await untilFrom('replica')
  const synchronous = async (names: string) => {
    await primary.query(`ALTER SYSTEM SET synchronous_standby_names = '${names}'`)
    await primary.query('SELECT pg_reload_conf()')
    await eventually('it is in force', async () => {
      const [row] = await primary.query<{ set: boolean }>(
        `SELECT current_setting('synchronous_standby_names') = '${names}' AS set`,
      )
      return row?.set || undefined
    })
  }
  await synchronous('absent')
  // Not through the service, whose statements have a time limit.
  const adding = primary.query(
    `UPDATE pet_counter SET last_id = last_id + 1;
     INSERT INTO pets SELECT last_id, 'Rex', 7, 'available' FROM pet_counter`,
    database,
  )
  await untilItHas(replica, last + 1n)
  expect(await newestOn(primary)).toBe(last)
  const before = await pagesFrom('replica')
  await eventually('it was read on the standby', async () => {
    expect(await newest()).toBe(last)
    return (await pagesFrom('replica')) > before || undefined
  })
  await synchronous('')
  await adding
  expect(await newest()).toBe(last + 1n)
})

test('a standby that hangs or dies is left alone, no read fails, and it is used again once it is back', async () => {
  await untilFrom('replica')
  replica.freeze()
  const id = await add()
  for (let n = 0; n < 5; n++) expect(await newest()).toBe(id)
  await replica.crash()
  await eventually('its end is noticed', async () => {
    expect(await newest()).toBe(id)
    return (
      service.output.log.some(
        ({ event, reason }) => event === 'replica-unused' && String(reason).includes('ECONNREFUSED'),
      ) || undefined
    )
  })
  expect((await service.fetch('/readyz')).status).toBe(200)
  await replica.start()
  await untilFrom('replica')
})

test.each([
  [
    'a standby of another database',
    async (): Promise<string> => {
      const other = await primary.freshDatabaseUrl()
      await makeEmptyStore(other)
      const name = new URL(other).pathname.slice(1)
      await eventually('it is on the standby', async () => {
        const rows = await replica.query('SELECT FROM meta', name).catch(() => [])
        return rows.length > 0 || undefined
      })
      return replica.url(name)
    },
    'belongs to another database',
    'fail',
  ],
  ['the primary itself', async (): Promise<string> => primary.url(database), 'is not a standby', 'advice'],
  [
    'a server that does not run',
    async (): Promise<string> => 'postgres://postgres@127.0.0.1:1/pets',
    'ECONNREFUSED',
    'advice',
  ],
] as const)(
  '%s is never read as a replica, and the log and doctor say so',
  async (_what, urlOf, sentence, level) => {
    const url = await urlOf()
    const variables = { PETSTORE_REPLICA_URL: url }
    const other = await startProcess({ databaseUrl: primary.url(database), variables })
    const id = await add()
    const reported = await eventually('it is reported', async () => {
      expect((await readPets(other)).at(-1)?.id).toBe(id)
      return other.output.log.find(
        ({ event, reason }) => event === 'replica-unused' && String(reason).includes(sentence),
      )
    })
    expect(reported).toMatchObject({ level: 'warn', host: new URL(url).host })
    expect(await other.stop()).toBe(0)
    const examined = await petstore(['doctor'], { ...variables, DATABASE_URL: primary.url(database) })
    expect(examined.stdout).toMatch(new RegExp(`^${level} +replica +.*${sentence}`, 'm'))
  },
)

test('pages are read on a standby of a database whose default isolation no standby can serve', async () => {
  const change = (what: string) => primary.query(`ALTER DATABASE ${database} ${what}`)
  const id = await add()
  await untilItHas(replica, id)
  await change("SET default_transaction_isolation = 'serializable'")
  const other = await startMeasuredProcess(service.options)
  await eventually('it reads on the standby', async () => {
    expect((await readPets(other)).at(-1)?.id).toBe(id)
    return (await pagesFrom('replica', other)) > 0 || undefined
  })
  expect(await other.stop()).toBe(0)
  await change('RESET default_transaction_isolation')
  await eventually('the standby answers as before', () => newestOn(replica).catch(() => undefined))
})

test('replicas are refused where the database is SQLite', async () => {
  const ran = await petstore(['serve'], { PETSTORE_REPLICA_URL: 'postgres://user:hidden@a/b' })
  expect(ran.stderr).toContain('PETSTORE_REPLICA_URL (--replica-url) is for PostgreSQL')
  expect(ran.stderr).not.toContain('hidden')
  expect(ran.code).toBe(2)
})
