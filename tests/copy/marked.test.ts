import { Database } from 'bun:sqlite'
import { expect, test } from 'bun:test'
import { dirname, join } from 'node:path'
import { petJson } from '../support/http.ts'
import { BALANCED, balance, Load } from '../support/load.ts'
import { eventually, freshFolder, inTerminal, pathOf, petstore } from '../support/process.ts'
import { copyBetween, expectRefused } from '../support/refused.ts'
import { startService } from '../support/service.ts'
import { addKey, engineAt, makeStore } from '../support/store.ts'
import { fresh, killedCopy, PLACES, shownAs } from './stores.ts'

const AGAIN = 'run the copy again with the same settings and flags.'
const begunTo = (source: string, target: string): string =>
  `A copy of the database ${source} to ${target} was begun. Use that one. If it is not complete, ${AGAIN}`
const notComplete = (source: string, target: string): string =>
  `The copy of ${source} to the database ${target} is not complete. If it is no longer running, ${AGAIN}`

test.each(PLACES)('what a service on %s acknowledges is in its copy, and then nothing more', async place => {
  const [source, target] = [await fresh(place), await fresh('sqlite')]
  using service = await startService({ databaseUrl: source })
  const load = new Load(() => service.url)
  await eventually('animals are added', () => load.acknowledged.size > 100 || undefined)
  expect((await petstore(['copy', '--from', source, '--to', target])).code).toBe(0)
  await load.stop()
  const copied = new Database(pathOf(target)).query<{ id: string; name: string }, []>(
    'SELECT CAST(id AS TEXT) AS id, name FROM pets',
  )
  expect(balance(load, copied.all())).toEqual(BALANCED)
  const add = () => service.post(petJson({}), { 'Idempotency-Key': 'refused at first' })
  expect((await add()).failure).toBe('503 unavailable')
  expect((await service.fetch('/readyz')).error.message).toEndWith('part of a copy.')
  expect((await petstore(['copy', '--from', source, '--to', target])).code).toBe(2)
  expect((await service.fetch('/readyz')).failure).toBe('503 unavailable')
  await petstore(['copy', '--unmark', source, '--yes'])
  await eventually('it is ready', async () => (await service.fetch('/readyz')).status === 200 || undefined)
  expect(await add()).toHaveStatus(201)
  // Also before any animal was refused.
  await petstore(['copy', '--from', source, '--to', await fresh('sqlite')])
  expect((await service.fetch('/readyz')).failure).toBe('503 unavailable')
})

test('an animal that waits for the lock under which a store is marked is refused', async () => {
  const source = await fresh('sqlite')
  using service = await startService({ databaseUrl: source, inThread: true })
  await service.add()
  using database = new Database(pathOf(source))
  database.run('BEGIN IMMEDIATE')
  const adding = service.post(petJson({}))
  // The writer has the call by now, and tries for 2 seconds to get the lock.
  expect(await Promise.race([adding, Bun.sleep(200)])).toBeUndefined()
  database.run("INSERT INTO meta (name, value) VALUES ('copy_mark', 'of a source')")
  database.run('COMMIT')
  expect((await adding).failure).toBe('503 unavailable')
  expect(database.query('SELECT count(*) AS count FROM pets').get()).toEqual({ count: 1 })
})

test('a copied store is refused until it is unmarked', async () => {
  const [source, target] = [await fresh('sqlite'), await fresh('sqlite')]
  const key = await addKey(source, 'x')
  const cwd = dirname(pathOf(target))
  const copied = await petstore(['copy', '--from', source, '--to', 'sqlite:animals.db'], {}, { cwd })
  expect(copied.stdout).toContain('The source is marked')
  const refusal = begunTo(shownAs(source), pathOf(target))
  const another = await fresh('sqlite')
  await expectRefused(source, 'invalid', refusal, {
    'keys list': () => engineAt(source).open({ create: false }),
    copy: () => copyBetween(source, another),
  })
  const unmarking = await petstore(['copy', '--unmark', source])
  expect(`${unmarking.code} ${unmarking.stderr}`).toMatch(/^2 .*the same identifiers .*; add --yes\.\n$/)
  const question = { to: 'Continue? [y/N] ' }
  const declined = await inTerminal(['copy', '--unmark', source], {}, { ...question, with: 'n\n' })
  expect([declined.code, (await petstore(['keys', 'list'], { DATABASE_URL: source })).code]).toEqual([1, 2])
  const agreed = await inTerminal(['copy', '--unmark', source], {}, { ...question, with: 'y\n' })
  expect(agreed.text).toContain(`If ${pathOf(target)} is used too`)
  const unmarked = await petstore(['copy', '--unmark', source])
  expect([unmarked.code, unmarked.stdout]).toEqual([0, expect.stringContaining('is not marked')])
  using service = await startService({ databaseUrl: source })
  expect(await service.fetch('/v1/pets', { key })).toHaveStatus(200)
})

test.each(PLACES)('the target on %s of a killed copy is refused by all but the same copy', async place => {
  const [target, other] = [await fresh(place), await fresh('sqlite')]
  const { source, copy } = await killedCopy(target)
  await makeStore(other, ['Other'])
  const file = join(await freshFolder(), 'backup.db')
  await engineAt(other).backUp({ file, force: false })
  const refusal = notComplete(shownAs(source), shownAs(target))
  const engine = engineAt(target)
  await expectRefused(target, 'invalid', refusal, {
    'keys list': () => engine.open({ create: false }),
    'copy into it': () => copyBetween(other, target),
    'copy it': () => copyBetween(target, other),
    ...(place === 'sqlite' && {
      backup: () => engine.backUp({ file: `${file}.new`, force: false }),
      restore: () => engine.restore({ file, force: false, nextId: undefined }),
      'forced restore': () => engine.restore({ file, force: true, nextId: undefined }),
    }),
  })
  const doctor = await petstore(['doctor'], { DATABASE_URL: target })
  expect([doctor.code, doctor.stdout]).toEqual([1, expect.stringContaining(refusal)])
  expect(doctor.stdout).not.toContain('keys create')
  await expectRefused(source, 'invalid', begunTo(shownAs(source), pathOf(shownAs(target))))
  expect((await petstore(copy)).code).toBe(0)
  using service = await startService({ databaseUrl: target })
  expect((await service.fetch('/v1/pets')).text).toContain('Rex')
  expect((await service.add()).id).toBe(2n)
})

test('a service that has the target of a copy open is not ready and adds nothing, until it is restarted with what was copied', async () => {
  const target = await fresh('postgres')
  using service = await startService({ databaseUrl: target })
  expect(await service.fetch('/v1/pets')).toHaveStatus(200)
  const { copy } = await killedCopy(target)
  for (const repeat of [async () => {}, () => petstore(copy)]) {
    await repeat()
    expect((await service.post(petJson({}))).failure).toBe('503 unavailable')
    expect((await service.fetch('/readyz')).failure).toBe('503 unavailable')
  }
  const { message } = (await service.fetch('/readyz')).error
  const ready = await petstore(['ready', '--port', new URL(service.url).port])
  expect([ready.code, ready.stderr]).toEqual([5, `petstore: ${service.url}/readyz: ${message}\n`])
  using restarted = await startService({ databaseUrl: target })
  expect((await restarted.fetch('/v1/pets')).pets).toMatchObject([{ name: 'Rex' }])
  expect((await restarted.add()).id).toBe(2n)
})
