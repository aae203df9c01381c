import { describe, expect, test } from 'bun:test'
import { type Create, check, type Get, type List, type Operation, type Shown } from './history.ts'

const pet = (id: number, name = `pet ${id}`, status = 'sold'): Shown => ({ id, name, status })

/** Each operation begins at this second and takes half of one, unless specified. */
const at = (began: number, ended = began + 0.5) => ({ began, ended })
const LONG = at(1, 9)
const create = (began: number, shown: Shown | undefined, more: Partial<Create> = {}): Create => ({
  ...{ kind: 'create', name: shown?.name ?? 'pet 1', shown, replayed: false },
  ...at(began),
  ...more,
})
const get = (began: number, id: number, shown: Shown | undefined): Get => ({
  ...{ kind: 'get', id, shown },
  ...at(began),
})
const list = (began: number, shown: readonly Shown[], more: Partial<List> = {}): List => ({
  ...{ kind: 'list', after: 0, limit: 2, status: undefined, shown, more: false },
  ...at(began),
  ...more,
})

const TWO = pet(2, 'pet 2', 'pending')
const THREE = [create(1, pet(1)), create(2, TWO), create(3, pet(3))]
const LOST = create(1, undefined)
const REPEAT = { replayed: true }

describe('a history that one store could have given has no violation:', () => {
  test.each<[string, Operation[]]>([
    ['additions and reads in turn', [...THREE, get(4, 2, TWO), get(4, 9, undefined)]],
    ['pages of a walk', [...THREE, list(4, [pet(1), TWO], { more: true }), list(5, [pet(3)], { after: 2 })]],
    ['a page of a status', [...THREE, list(4, [pet(1), pet(3)], { status: 'sold' })]],
    ['additions at once, answered in another order', [create(1, pet(2), LONG), create(2, pet(1), at(2, 9))]],
    ['reads of an addition under way', [create(1, pet(1), LONG), get(2, 1, undefined), get(3, 1, pet(1))]],
    ['an unknown outcome that shows later', [LOST, list(9, [pet(1)])]],
    ['an unknown outcome that never shows', [LOST, list(9, [])]],
    ['repeats under a key', [LOST, create(2, pet(1)), create(3, pet(1), REPEAT)]],
    ['a gap in the identifiers', [create(1, pet(1)), create(2, pet(7)), list(3, [pet(1), pet(7)])]],
  ])('%s', (_what, history) => expect(check(history)).toEqual([]))
})

const bad: Record<string, [string, Operation[]][]> = {
  identity: [
    ['one identifier for two animals', [create(1, pet(1)), create(1, pet(1, 'other'))]],
    ['one animal under two identifiers', [create(1, pet(1)), get(3, 2, pet(2, 'pet 1'))]],
    ['an animal that changes', [create(1, pet(1)), get(3, 1, pet(1, 'pet 1', 'pending'))]],
    ['the answer to another request', [...THREE, create(4, pet(4)), create(5, pet(4), { name: 'mine' })]],
    ['another animal than was asked for', [...THREE, get(4, 1, pet(3))]],
    ['a repeat that adds an animal', [create(1, pet(1)), create(2, pet(2, 'pet 1'), REPEAT)]],
    ['an animal that was never sent', [list(1, [pet(1)])]],
  ],
  order: [['identifiers that fall', [create(1, pet(2)), create(2, pet(1))]]],
  visibility: [
    ['an acknowledged animal that is not found', [...THREE, get(4, 2, undefined)]],
    ['an animal that disappears after a read', [LOST, get(2, 1, pet(1)), get(3, 1, undefined)]],
    ['one missing at the end of a list', [...THREE, list(4, [pet(1), TWO])]],
    ['one missing in a list of its status', [...THREE, list(4, [pet(1)], { status: 'sold' })]],
    ['a stale 304', [create(1, pet(1)), list(2, [pet(1)]), create(3, TWO), list(4, [pet(1)])]],
  ],
  page: [
    ['an animal that is left out', [...THREE, list(4, [pet(1), pet(3)])]],
    ['one that slips in behind a reader', [create(1, pet(1), LONG), create(1, TWO, LONG), list(2, [TWO])]],
    ['an animal twice in a walk', [...THREE, list(4, [TWO, pet(3)], { after: 2 })]],
    ['a page out of order', [...THREE, list(4, [TWO, pet(1)], { more: true })]],
    ['an animal of another status', [...THREE, list(4, [pet(1), TWO], { status: 'sold', more: true })]],
    ['a page above its limit', [...THREE, list(4, [pet(1), TWO, pet(3)])]],
  ],
  follower: [
    ['a link to nothing', [...THREE, list(4, [pet(3)], { after: 2, limit: 1, more: true })]],
    ['a link on a page that is not full', [...THREE, list(4, [pet(1), TWO], { limit: 5, more: true })]],
  ],
  idempotency: [
    ['a repeat that does not say so', [create(1, pet(1)), create(2, pet(1))]],
    ['a first answer that says it is a repeat', [create(1, pet(1), REPEAT)]],
  ],
}

describe.each(Object.entries(bad))('a history that breaks the rule of %s is seen:', (rule, histories) => {
  test.each(histories)('%s', (_what, history) =>
    expect(check(history).map(violation => violation.split(':')[0])).toContain(rule),
  )
})
