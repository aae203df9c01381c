import { Database } from 'bun:sqlite'
import { expect, spyOn, test } from 'bun:test'
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { connect } from './connect.ts'
import { openFile } from './open.ts'
import { ReadsPerTurn, readsOf } from './reads.ts'

/** Reads as the requests of one turn make them, after the first four. */
function newTurn() {
  const database = new Database(':memory:')
  let turn = 1
  const reads = new ReadsPerTurn(database, () => turn)
  const together = <T>(read: () => T) => reads.run(read)
  const first = [1, 2, 3, 4].map(() => together(() => database.inTransaction))
  return { database, together, first, next: () => void turn++ }
}

const fail = (): never => {
  throw new Error('unreadable')
}

test('the first reads of each turn are answered at once, and those that follow in one transaction', async () => {
  const { database, together, first, next } = newTurn()
  const read = () => database.inTransaction
  expect(first).toEqual([false, false, false, false])
  expect(await Promise.all([together(read), together(read)])).toEqual([true, true])
  expect(database.inTransaction).toBe(false)
  next()
  expect(together(read)).toBe(false)
})

test('a read that fails leaves the others alone, even if it ends their transaction', async () => {
  const { database, together } = newTurn()
  const lost = () => {
    database.run('ROLLBACK')
    return fail()
  }
  const outcomes = await Promise.allSettled([together(fail), together(lost), together(() => 'read')])
  expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'fulfilled'])
})

test('reads of a database that was closed meanwhile are rejected', async () => {
  const { database, together } = newTurn()
  const read = () => database.query('SELECT 1').get()
  const later = [together(read), together(read)]
  database.close()
  const outcomes = await Promise.allSettled(later)
  expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
})

test('reads that take long give way to other work, and are all answered', async () => {
  const { together } = newTurn()
  const order: string[] = []
  let now = 0
  using _clock = spyOn(performance, 'now').mockImplementation(() => now)
  const read = (name: string) => () => {
    now += 26
    order.push(name)
  }
  const answers = ['first', 'second', 'third'].map(name => together(read(name)))
  setImmediate(() => setImmediate(() => order.push('other work')))
  await Promise.all(answers)
  expect(order).toEqual(['first', 'second', 'other work', 'third'])
})

test('an animal added while the last page is read is on the page of its revision', () => {
  const path = join(mkdtempSync(join(tmpdir(), 'petstore-')), 'animals.db')
  using opened = openFile({ path, environment: 'production' }, true)
  using other = connect(path, 'durable')
  const reads = readsOf(opened)
  // Each statement is prepared once, so this is the one that the reads use.
  const question = opened.query<unknown, []>('PRAGMA data_version')
  const get = question.get.bind(question)
  const asked = spyOn(question, 'get').mockImplementation(() => {
    other.run("INSERT INTO pets (name, category_id, status) VALUES ('Rex', 1, 'sold')")
    return get()
  })
  const { json, revision } = reads.listPets({ after: 0n, limit: 10, status: undefined })
  expect([revision, String(Buffer.from(json))]).toEqual([1n, expect.stringContaining('Rex')])
  const added = asked.mock.calls.length
  asked.mockRestore()
  expect(reads.revision()).toBe(BigInt(added))
})

test('a page of one status reads an index, not the animals of the others', () => {
  const path = join(mkdtempSync(join(tmpdir(), 'petstore-')), 'animals.db')
  using opened = openFile({ path, environment: 'production' }, true)
  const prepared = spyOn(opened, 'query')
  readsOf(opened)
  const pages = prepared.mock.calls.map(([sql]) => sql).filter(sql => sql.includes('status = ?3'))
  prepared.mockRestore()
  const steps = pages.flatMap(sql => opened.query(`EXPLAIN QUERY PLAN ${sql}`).values(0n, 1, 'sold'))
  const reads = steps.map(([, , , step]) => String(step)).filter(step => /^(SCAN|SEARCH) pets/.test(step))
  // The second one goes through the rows of the page.
  expect(reads.map(step => step.includes('pets_by_status (status=? AND'))).toEqual([true, false, true])
})

test('keys are listed by age, and keys of the same age by id', () => {
  const path = join(mkdtempSync(join(tmpdir(), 'petstore-')), 'animals.db')
  using opened = openFile({ path, environment: 'production' }, true)
  const rows = Object.entries({ d: 3, c: 3, b: 1, a: 2 })
  for (const [id, at] of rows)
    opened.run('INSERT INTO api_keys (id, name, hint, hash, created_at) VALUES (?1, ?1, ?1, ?1, ?2)', [
      id,
      at,
    ])
  const ids = readsOf(opened)
    .listKeys()
    .map(({ id }) => id)
  expect(ids).toEqual(['b', 'a', 'c', 'd'])
})
