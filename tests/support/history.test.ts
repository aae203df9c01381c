import { describe, expect, test } from 'bun:test'
import {
  type Create,
  check,
  type Get,
  type List,
  type Operation,
  RULES,
  type Rule,
  type Shown,
} from './history.ts'

const pet = (id: number, status = 'sold'): Shown => ({ id, name: `pet ${id}`, status })

/** Operations are ordered by their start unless specified; each takes half a second. */
const at = (began: number, ended = began + 0.5) => ({ began, ended })
const create = (began: number, shown: Shown | undefined, more: Partial<Create> = {}): Create => ({
  kind: 'create',
  name: shown?.name ?? 'unknown',
  key: undefined,
  shown,
  replayed: false,
  ...at(began),
  ...more,
})
const get = (began: number, id: number, shown: Shown | undefined, more: Partial<Get> = {}): Get => ({
  kind: 'get',
  id,
  shown,
  etag: undefined,
  ...at(began),
  ...more,
})
const list = (began: number, shown: readonly Shown[], more: Partial<List> = {}): List => ({
  kind: 'list',
  target: 'page',
  after: 0,
  limit: 2,
  status: undefined,
  shown,
  more: false,
  etag: undefined,
  ...at(began),
  ...more,
})

const THREE = [create(1, pet(1)), create(2, pet(2, 'pending')), create(3, pet(3))]
const rulesBroken = (...history: Operation[]): Rule[] => [...new Set(check(history).map(({ rule }) => rule))]

describe('a history that one store could have given has no violation:', () => {
  const good: [string, Operation[]][] = [
    ['nothing at all', []],
    ['additions and reads in turn', [...THREE, get(4, 2, pet(2, 'pending')), get(4, 9, undefined)]],
    [
      'pages of a walk',
      [...THREE, list(4, [pet(1), pet(2, 'pending')], { more: true }), list(5, [pet(3)], { after: 2 })],
    ],
    ['a page of a status', [...THREE, list(4, [pet(1), pet(3)], { status: 'sold' })]],
    [
      'additions at the same time, answered in another order',
      [create(1, pet(2), at(1, 9)), create(2, pet(1), at(2, 9))],
    ],
    [
      'a read that may or may not see an addition under way',
      [create(1, pet(1), at(1, 9)), get(2, 1, undefined), get(3, 1, pet(1)), list(4, [pet(1)])],
    ],
    ['an unknown outcome that shows later', [create(1, undefined, { name: 'pet 1' }), list(9, [pet(1)])]],
    ['an unknown outcome that never shows', [create(1, undefined), list(9, [])]],
    [
      'repeats under a key',
      [
        create(1, undefined, { name: 'pet 1', key: 'k' }),
        create(2, pet(1), { key: 'k' }),
        create(3, pet(1), { key: 'k', replayed: true }),
      ],
    ],
    ['a gap in the identifiers', [create(1, pet(1)), create(2, pet(7)), list(3, [pet(1), pet(7)])]],
    [
      'an ETag again with the same answer',
      [...THREE, get(4, 1, pet(1), { etag: 'a' }), get(5, 1, pet(1), { etag: 'a' })],
    ],
  ]
  test.each(good)('%s', (_what, history) => expect(check(history)).toEqual([]))
})

describe('a history that no single store could have given is seen:', () => {
  const bad: [string, Rule, Operation[]][] = [
    [
      'one identifier for two animals',
      'identity',
      [create(1, pet(1)), create(1, { ...pet(1), name: 'other' })],
    ],
    [
      'one animal under two identifiers',
      'identity',
      [create(1, pet(1)), get(3, 2, { ...pet(2), name: 'pet 1' })],
    ],
    ['an animal that changes', 'identity', [create(1, pet(1)), get(3, 1, pet(1, 'pending'))]],
    [
      'the answer to another request',
      'identity',
      [...THREE, create(4, pet(4)), create(5, pet(4), { name: 'mine' })],
    ],
    ['another animal than was asked for', 'identity', [...THREE, get(4, 1, pet(3))]],
    ['an animal that was never sent', 'invention', [list(1, [pet(1)])]],
    ['an animal that was sent later', 'invention', [get(1, 1, pet(1)), create(2, pet(1))]],
    ['identifiers that fall', 'order', [create(1, pet(2)), create(2, pet(1))]],
    ['an acknowledged animal that is not found', 'visibility', [...THREE, get(4, 2, undefined)]],
    [
      'an animal that disappears after a read',
      'visibility',
      [create(1, undefined, { name: 'pet 1' }), get(2, 1, pet(1)), get(3, 1, undefined)],
    ],
    [
      'an acknowledged animal missing at the end of a list',
      'visibility',
      [...THREE, list(4, [pet(1), pet(2, 'pending')])],
    ],
    [
      'an acknowledged animal missing in a list of its status',
      'visibility',
      [...THREE, list(4, [pet(1)], { status: 'sold' })],
    ],
    ['an empty list after an animal was shown', 'visibility', [...THREE, list(4, [])]],
    [
      'a stale 304',
      'visibility',
      [
        create(1, pet(1)),
        list(2, [pet(1)], { etag: 'a' }),
        create(3, pet(2)),
        list(4, [pet(1)], { etag: 'a' }),
      ],
    ],
    ['an animal that is left out', 'page', [...THREE, list(4, [pet(1), pet(3)])]],
    [
      'an animal that slips in behind a reader',
      'page',
      [create(1, pet(1), at(1, 9)), create(1, pet(2), at(1, 9)), list(2, [pet(2)])],
    ],
    ['an animal twice in a walk', 'page', [...THREE, list(4, [pet(2, 'pending'), pet(3)], { after: 2 })]],
    ['a page out of order', 'page', [...THREE, list(4, [pet(2, 'pending'), pet(1)], { more: true })]],
    [
      'an animal of another status',
      'page',
      [...THREE, list(4, [pet(1), pet(2, 'pending')], { status: 'sold', more: true })],
    ],
    ['a page above its limit', 'page', [...THREE, list(4, [pet(1), pet(2, 'pending'), pet(3)])]],
    ['a link to nothing', 'follower', [...THREE, list(4, [pet(3)], { after: 2, limit: 1, more: true })]],
    [
      'a link on a page that is not full',
      'follower',
      [...THREE, list(4, [pet(1), pet(2, 'pending')], { limit: 5, more: true })],
    ],
    [
      'a repeat that adds an animal',
      'idempotency',
      [create(1, pet(1), { key: 'k' }), create(2, { ...pet(2), name: 'pet 1' }, { key: 'k' })],
    ],
    [
      'a repeat that does not say so',
      'idempotency',
      [create(1, pet(1), { key: 'k' }), create(2, pet(1), { key: 'k' })],
    ],
    [
      'a first answer that says it is a repeat',
      'idempotency',
      [create(1, pet(1), { key: 'k', replayed: true })],
    ],
    [
      'an unknown outcome that shows twice',
      'identity',
      [create(1, undefined, { name: 'pet 1' }), list(2, [pet(1), { ...pet(2), name: 'pet 1' }])],
    ],
    [
      'one ETag for two answers',
      'etag',
      [list(1, [], { etag: 'a' }), create(2, pet(1)), list(3, [pet(1)], { etag: 'a' })],
    ],
  ]
  test.each(bad)('%s (%s)', (_what, rule, history) => expect(rulesBroken(...history)).toContain(rule))

  test('every rule has such a history', () => {
    expect(new Set<string>(bad.map(([, rule]) => rule))).toEqual(new Set(Object.keys(RULES)))
  })
})
