import { Database } from 'bun:sqlite'
import { expect, test } from 'bun:test'
import { requestTurn } from '../store.ts'
import { readingTogether } from './reads.ts'

/** Reads as the requests of one turn make them. */
function newTurn() {
  requestTurn.number++
  const database = new Database(':memory:')
  return { database, together: readingTogether(database, read => read()) }
}

const fail = (): never => {
  throw new Error('unreadable')
}

test('the first read of a turn is answered at once, and those that follow it in one transaction', async () => {
  const { database, together } = newTurn()
  const read = () => database.inTransaction
  expect(together(read)).toBe(false)
  expect(await Promise.all([together(read), together(read)])).toEqual([true, true])
  expect(database.inTransaction).toBe(false)
})

test('a read that fails leaves the others alone, even if it ends their transaction', async () => {
  const { database, together } = newTurn()
  expect(() => together(fail)).toThrow('unreadable')
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
  together(read)
  const later = [together(read), together(read)]
  database.close()
  const outcomes = await Promise.allSettled(later)
  expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
})

test('reads that take long give way to other work, and are all answered', async () => {
  const { together } = newTurn()
  const order: string[] = []
  const read = (name: string) => () => {
    const end = performance.now() + 30
    while (performance.now() < end);
    order.push(name)
  }
  together(read('first'))
  const others = ['second', 'third', 'fourth'].map(name => together(read(name)))
  setImmediate(() => setImmediate(() => order.push('other work')))
  await Promise.all(others)
  expect(order).toEqual(['first', 'second', 'third', 'other work', 'fourth'])
})
