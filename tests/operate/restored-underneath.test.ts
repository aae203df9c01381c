import { Database } from 'bun:sqlite'
import { expect, test } from 'bun:test'
import { petJson } from '../support/http/exact.ts'
import { freshSqliteUrl } from '../support/service/folder.ts'
import { startInstances } from '../support/service/instances.ts'
import { eventually } from '../support/service/process.ts'
import { pathOf } from '../thorough/faults/support/stored.ts'

test('when a dump is put back with SQLite’s own means under two services, neither shows what it does not hold', async () => {
  const databaseUrl = await freshSqliteUrl()
  const services = await startInstances(2, { databaseUrl })
  const [service] = services
  const ids: bigint[] = []
  for (const name of ['kept', 'lost', 'last'])
    ids.push((await service?.post(petJson({ name })))?.pet.id ?? 0n)
  const shown = () =>
    Promise.all(
      services.flatMap(each => [
        ...ids.map(async id => (await each.fetch(`/v1/pets/${id}`)).status),
        each.fetch('/v1/pets?limit=1').then(({ pets }) => pets[0]?.name ?? ''),
      ]),
    )
  expect(await shown()).toEqual([200, 200, 200, 'kept', 200, 200, 200, 'kept'])
  const database = new Database(pathOf(databaseUrl))
  const [{ sql } = { sql: '' }] = database
    .query<{ sql: string }, []>("SELECT sql FROM sqlite_schema WHERE name = 'pets'")
    .all()
  const indices = database
    .query<{ sql: string }, []>("SELECT sql FROM sqlite_schema WHERE tbl_name = 'pets' AND type = 'index'")
    .all()
  database.transaction(() => {
    database.run('CREATE TABLE dump AS SELECT * FROM pets WHERE id > 1')
    database.run('DROP TABLE pets')
    for (const statement of [sql, ...indices.map(index => index.sql)]) database.run(statement)
    database.run('INSERT INTO pets SELECT * FROM dump')
    database.run('DROP TABLE dump')
  })()
  database.close()
  await eventually(
    'what is gone is not shown',
    async () => (await shown()).join() === '404,200,200,lost,404,200,200,lost' || undefined,
    5000,
  )
  expect(await Promise.all(services.map(each => each.stop()))).toEqual([0, 0])
})
