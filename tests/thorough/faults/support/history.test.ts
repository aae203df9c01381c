import { expect, test } from 'bun:test'
import { type Create, check, type Operation, type Read, type Shown } from './history.ts'

const pet = (id: number, name = `pet ${id}`): Shown => ({ id, name, status: 'sold' })

/** Each operation begins at this second and takes half of one. */
const at = (began: number) => ({ began, ended: began + 0.5 })
const create = (began: number, shown: Shown, replayed = false): Create => ({
  ...{ name: shown.name, shown: [shown], replayed },
  ...at(began),
})
const get = (began: number, id: number, ...shown: Shown[]): Read => ({
  ...{ target: '/v1/pets/id', matches: animal => animal.id === id, limit: 1, shown, more: false },
  ...at(began),
})
const list = (began: number, shown: readonly Shown[], more = false): Read => ({
  ...{ target: '/v1/pets?limit=2', matches: () => true, limit: 2, shown, more },
  ...at(began),
})

const THREE = [create(1, pet(1)), create(2, pet(2)), create(3, pet(3))]

test.each<[rule: string, what: string, Operation[]]>([
  ['', 'additions, reads and pages in turn', [...THREE, get(4, 2, pet(2)), list(4, [pet(1), pet(2)], true)]],
  ['', 'repeats under a key', [create(1, pet(1)), create(2, pet(1), true), get(3, 9)]],
  ['', 'a gap in the identifiers', [create(1, pet(1)), create(2, pet(7)), list(3, [pet(1), pet(7)])]],
  ['identity', 'one identifier for two animals', [create(1, pet(1)), create(1, pet(1, 'other'))]],
  ['identity', 'one animal under two identifiers', [create(1, pet(1)), get(3, 2, pet(2, 'pet 1'))]],
  ['order', 'identifiers that fall', [create(1, pet(2)), create(2, pet(1))]],
  ['visibility', 'an acknowledged animal that is not found', [...THREE, get(4, 2)]],
  ['visibility', 'one missing at the end of a list', [...THREE, list(4, [pet(1), pet(2)])]],
  ['page', 'an animal that is left out', [...THREE, list(4, [pet(1), pet(3)])]],
  ['page', 'another animal than was asked for', [...THREE, get(4, 2, pet(3))]],
  ['follower', 'a link to nothing', [create(1, pet(1)), list(4, [pet(1)], true)]],
  ['idempotency', 'a repeat that does not say so', [create(1, pet(1)), create(2, pet(1))]],
])('the checker of histories names the rule (%p) that is broken by %s', (rule, _what, history) => {
  const [broken = ''] = check(history).map(violation => violation.split(':')[0])
  expect(broken).toBe(rule)
})
