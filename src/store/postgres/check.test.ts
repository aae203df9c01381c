import { expect, test } from 'bun:test'
import pg from 'pg'
import { OperatorError } from '../../operator-error.ts'
import { misconfigurationOf, ServerCheck, type ServiceFacts } from './check.ts'

const GOOD: ServiceFacts = {
  is_standby: false,
  is_read_only: false,
  lacks_fsync: false,
  lacks_full_pages: false,
  skips_standbys: false,
  isolates_more: false,
  lacks_unicode: false,
  lacks_schema: false,
  is_subscriber: false,
  timeline: 2,
  run: 'first',
  version: '18',
  secret: 'ours',
  log_end: '100',
  lacks: '',
  role: 'petstore',
  is_used_up: false,
  moved_to: null,
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
  [{ run: 'second', log_end: '99' }, true],
  // Facts of one run may arrive out of order.
  [{ log_end: '99' }, false],
  [{ timeline: 1, log_end: '500' }, true],
  [{ timeline: 3, log_end: '1' }, false],
  [{ timeline: null, log_end: null }, false],
])('a server with %j has gone back: %p', (changed, hasGoneBack) => {
  expect(accepted().hasGoneBack({ ...GOOD, ...changed })).toBe(hasGoneBack)
})

test.each<[changed: Partial<ServiceFacts>, isAccepted: boolean, epoch: number]>([
  [{ log_end: '200' }, true, 0],
  [{ run: 'second' }, true, 1],
  [{ timeline: 1 }, false, 1],
  [{ secret: 'of another' }, false, 1],
  [{ is_standby: true, timeline: null }, false, 1],
  [{ lacks: 'INSERT ON pets' }, false, 1],
  [{ moved_to: 'elsewhere' }, false, 1],
])('a server with %j is accepted: %p, in epoch %d', (changed, isAccepted, epoch) => {
  const check = accepted()
  const accept = () => check.accept({ ...GOOD, ...changed })
  if (isAccepted) accept()
  else expect(accept).toThrow()
  expect(check.epoch).toBe(epoch)
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
  expect(problemWith('23505')).toBeUndefined()
})

test('behind a pooler that loses statements, no server is accepted any more', () => {
  const check = accepted()
  for (const problem of [problemWith('26000'), new OperatorError('It is a standby.')])
    expect(() => problem && check.refuse(problem)).toThrow()
  expect(() => check.accept(GOOD)).toThrow()
})
