import { expect, mock, spyOn, test } from 'bun:test'
import pg from 'pg'
import type { PostgresDatabase } from '../database.ts'
import { misconfigurationOf, Refusal, ServerCheck, type ServiceFacts } from './check.ts'
import { Pool } from './pool.ts'

const GOOD: ServiceFacts = {
  unusable: null,
  read_only: false,
  timeline: 2,
  run: 'first',
  version: '18',
  secret: 'ours',
  highest_id: '105',
  durable_id: '100',
}

/** A check that has accepted a good server. */
function accepted(): ServerCheck {
  const check = new ServerCheck('db:5432', 'ours', () => {})
  check.accept(GOOD)
  return check
}

test.each<[changed: Partial<ServiceFacts>, hasGoneBack: boolean]>([
  [{}, false],
  [{ run: 'second' }, false],
  [{ run: 'second', highest_id: '99' }, true],
  // A crash takes back animals that were not durable, and nothing is published after it.
  [{ run: 'second', highest_id: '100', durable_id: null }, false],
  // Facts of one run may arrive out of order.
  [{ highest_id: '99' }, false],
  [{ timeline: 1, highest_id: '500' }, true],
  [{ timeline: 3, run: 'second', highest_id: '1' }, false],
  [{ timeline: null, highest_id: '0' }, false],
  [{ secret: 'of another', run: 'second', highest_id: '99' }, false],
])('a server with %j has gone back: %p', (changed, hasGoneBack) => {
  expect(accepted().hasGoneBack({ ...GOOD, ...changed })).toBe(hasGoneBack)
})

test.each<[changed: Partial<ServiceFacts>, isAccepted: boolean, epoch: number]>([
  [{ highest_id: '200' }, true, 0],
  [{ run: 'second' }, true, 1],
  [{ timeline: 1 }, false, 1],
  [{ run: 'second', highest_id: '99' }, false, 1],
  [{ secret: 'of another' }, false, 1],
  [{ unusable: 'SERVER is a standby.', timeline: null }, false, 1],
])('a server with %j is accepted: %p, in epoch %d', (changed, isAccepted, epoch) => {
  const check = accepted()
  const accept = () => check.accept({ ...GOOD, ...changed })
  if (isAccepted) accept()
  else expect(accept).toThrow()
  expect(check.epoch).toBe(epoch)
})

test('a server that has gone back is refused, whatever is added to it, until the one that was seen returns', () => {
  const reasons: string[] = []
  const check = new ServerCheck('db:5432', 'ours', event => {
    if (event.kind === 'database-refused') reasons.push(event.reason)
  })
  check.accept(GOOD)
  for (const facts of [{ highest_id: '99' }, { highest_id: '500' }, { run: 'third', highest_id: '600' }])
    expect(() => check.accept({ ...GOOD, run: 'second', ...facts })).toThrow(
      expect.objectContaining({ trouble: 'older-copy' }),
    )
  expect(reasons).toEqual([expect.stringContaining('restart every instance of the service')])
  check.accept(GOOD)
  check.accept({ ...GOOD, run: 'fourth' })
  expect(() => check.accept({ ...GOOD, timeline: 1 })).toThrow(
    expect.objectContaining({ trouble: 'older-timeline' }),
  )
  check.accept({ ...GOOD, run: 'fifth' })
})

test('while nothing is published, a server that has gone back is still noticed after a crash, and fewer animals after a promotion are no sign of it', () => {
  const check = accepted()
  const older = { ...GOOD, run: 'third', highest_id: '99', durable_id: null }
  check.accept({ ...GOOD, run: 'second', durable_id: null })
  expect(check.hasGoneBack(older)).toBe(true)
  check.accept({ ...GOOD, timeline: 3, durable_id: null })
  expect(check.hasGoneBack({ ...older, timeline: 3 })).toBe(false)
})

const problemWith = (code: string) =>
  misconfigurationOf(Object.assign(new pg.DatabaseError('it failed', 0, 'error'), { code }))

test.each([
  ['42501', 'PostgreSQL says: it failed. Grant it'],
  ['42P01', 'PostgreSQL says: it failed. Grant it'],
  ['42883', 'PostgreSQL says: it failed. Grant it'],
  ['26000', 'Add pgbouncer=true'],
  ['42P05', 'Add pgbouncer=true'],
  ['22003', 'delete the animal'],
])('a statement that fails with %s is explained: %s', (code, remedy) => {
  expect(problemWith(code)?.message).toContain(remedy)
  expect(problemWith(code)?.exit).toBe(remedy.startsWith('Add') ? 'invalid' : 'refused')
  expect(problemWith('23505')).toBeUndefined()
})

test('behind a pooler that loses statements, no server is accepted any more', () => {
  const check = accepted()
  for (const problem of [problemWith('26000'), new Refusal('unusable', 'It is a standby.')])
    if (problem) check.refused(problem)
  expect(() => check.accept(GOOD)).toThrow()
})

test.each<[changed: Partial<ServiceFacts>, exit: string, reason: string]>([
  [{ unusable: 'SERVER is a standby.', timeline: null }, 'unavailable', 'db:5432 is a standby.'],
  [{ unusable: 'SERVER is read-only.', read_only: true }, 'unavailable', 'db:5432 is read-only.'],
  [{ unusable: 'fsync is off.' }, 'refused', 'fsync is off.'],
])('a server with %j is refused for now or for good: %s', (changed, exit, reason) => {
  const observe = mock()
  const check = new ServerCheck('db:5432', 'ours', observe)
  const cause = expect.objectContaining({ exit, message: reason })
  expect(() => check.accept({ ...GOOD, ...changed })).toThrow(expect.objectContaining({ cause }))
  expect(observe.mock.calls).toEqual([[{ kind: 'database-refused', host: 'db:5432', reason }]])
})

test('a refusal is reported once in each outage', () => {
  const observe = mock()
  const check = new ServerCheck('db:5432', 'ours', observe)
  for (const outage of [1, 2]) {
    check.accept(GOOD)
    for (let n = 0; n < 2; n++) expect(() => check.accept({ ...GOOD, secret: 'of another' })).toThrow()
    expect(observe).toHaveBeenCalledTimes(outage)
  }
})

/** A server that the test plays, by what its clients get for their statements. */
function played(answer: (client: pg.Client) => unknown): Disposable {
  const { connect, query } = pg.Client.prototype
  // Pools of other tests may still be closing.
  const ours = (
    real: (...sent: never[]) => unknown,
    play: (client: pg.Client, done: () => void) => unknown,
  ) =>
    function (this: pg.Client, ...sent: never[]) {
      return this.host === 'db' ? play(this, sent[0] as never) : real.apply(this, sent)
    } as never
  const played = new DisposableStack()
  played.use(
    spyOn(pg.Client.prototype, 'connect').mockImplementation(ours(connect, (_client, done) => done())),
  )
  played.use(spyOn(pg.Client.prototype, 'query').mockImplementation(ours(query, answer)))
  return played
}

test.each([
  ['disk-full', 'StorageUnavailable', '53100'],
  ['no-response', 'StorageUnavailable', '55P03 57014'],
  ['failing', 'StorageUnavailable', '25006 40P01 53300 58030 XX001'],
  ['unreachable', 'StorageUnavailable', '28P01 3D000'],
  ['unreachable', 'OutcomeUnknown', '08006 57P01 57P02'],
])('PostgreSQL is %s and a write ends with %s where it fails with %s', async (trouble, name, codes) => {
  let answers: (() => Promise<unknown>)[] = []
  using _server = played(() => answers.shift()?.())
  for (const code of codes.split(' ')) {
    const failure = Object.assign(new pg.DatabaseError('it failed', 0, 'error'), { code })
    answers = [() => Promise.resolve({ rows: [GOOD] }), () => Promise.reject(failure)]
    const check = accepted()
    const pool = new Pool({ url: 'postgres://db/pets' } as PostgresDatabase, 1, check)
    const writing = pool.query({ text: 'write', writes: 'in one commit' })
    await expect(writing).rejects.toMatchObject({ name, trouble })
    expect(check.epoch).toBe(name === 'OutcomeUnknown' ? 1 : 0)
  }
})

test('a cancelled wait for a standby puts only the write in doubt that waited, not the next one on its connection', async () => {
  const warnings: string[] = []
  using _server = played(async client => {
    const message = warnings.shift()
    if (message) client.emit('notice', { routine: 'SyncRepWaitForLSN', message } as never)
    return { rows: [GOOD] }
  })
  const pool = new Pool({ url: 'postgres://db/pets' } as PostgresDatabase, 1, accepted())
  const write = () => pool.query({ text: 'write', writes: 'in one commit' })
  await pool.check()
  warnings.push('The commit may be lost.')
  await expect(write()).rejects.toMatchObject({ name: 'OutcomeUnknown', trouble: 'no-response' })
  await write()
})
