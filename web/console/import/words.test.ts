import { expect, test } from 'bun:test'
import { timeOf } from '../parts/words.ts'
import type { Doubtful } from './import-file.ts'
import type { ImportRun } from './import-run.ts'
import { headingOf, showText, subtitleOf, tilesOf } from './words.ts'

const rows = (count: number) => Array.from({ length: count }, (_, at) => ({ line: at + 2 }))

interface Counts {
  readonly stage?: ImportRun['stage']
  readonly good?: number
  readonly known?: number
  readonly changed?: number
  readonly bad?: number
  readonly ids?: readonly bigint[]
  readonly asked?: readonly Doubtful[]
  readonly failure?: object
}

/** An import with these numbers of rows. */
function runOf({
  stage = 'preview',
  good = 0,
  known = 0,
  changed = 0,
  bad = 0,
  ids = [],
  asked = [],
  failure,
}: Counts) {
  const all = rows(good + known + changed)
  const doubtful = { known: all.slice(good, good + known), changed: all.slice(good + known) }
  const leftOut = [
    ...(asked.includes('known') ? [] : doubtful.known),
    ...(asked.includes('changed') ? [] : doubtful.changed),
  ]
  const added = new Map(ids.map((id, at) => [id, all[at]]))
  const toGo = all.length - leftOut.length - added.size
  const file = { good: all, asked: new Set(asked) }
  return { stage, file, doubtful, leftOut, added, bad: rows(bad), toGo, failure } as unknown as ImportRun
}

const tiles = (counts: Counts): string[] =>
  tilesOf(runOf(counts)).map(([, , label, { length }, about]) => `${label} ${length} ${about}`)

test.each([0, 1, 2])('before the start, %d rows are told in words that suit the number', count => {
  const counts = { good: count, known: count, changed: 1, bad: count }
  const first = ['To add', 'nothing is sent yet']
  expect(tiles(counts)).toEqual([
    `${first[0]} ${count} ${first[1]}`,
    `Already there ${count} left out`,
    'With an ID 1 left out',
    `With problems ${count} not added`,
  ])
  expect(tiles({ ...counts, asked: ['known', 'changed'] }).slice(1, 3)).toEqual([
    `Already there ${count} added too`,
    'With an ID 1 added too',
  ])
})

test.each<[Counts, about: string]>([
  [{ known: 1 }, 'Left out 1 already there'],
  [{ known: 2, changed: 3 }, 'Left out 5 2 already there, 3 with an ID'],
  [{ known: 2, changed: 3, asked: ['known'] }, 'Left out 3 with an ID'],
  [{ known: 2, changed: 3, asked: ['changed'] }, 'Left out 2 already there'],
])('afterwards, of %p it is told why rows were left out: %s', (counts, about) =>
  expect(tiles({ ...counts, stage: 'done' })[1]).toBe(about),
)

test.each([
  [[], 'Added 0 none'],
  [[7n], 'Added 1 ID 7'],
  [[10n, 9n], 'Added 2 IDs 9 to 10'],
  [[9n, 7n], 'Added 2 2 IDs from 7 to 9'],
])('the animals with the identifiers %p are told as %s', (ids, about) =>
  expect(tiles({ stage: 'done', good: ids.length, ids })[0]).toBe(about),
)

test.each<[Counts, heading: string]>([
  [{ good: 1 }, '1 animal to add'],
  [{ good: 1200 }, '1,200 animals to add'],
  [{ known: 3 }, 'Nothing new'],
  [{ changed: 3 }, 'Nothing to add'],
  [{ bad: 1 }, 'Nothing to add'],
  [{ stage: 'running', good: 3, ids: [1n] }, 'Adding animals: 1 of 3'],
  [{ stage: 'paused', good: 3, ids: [1n] }, 'Paused at 1 of 3'],
  [{ stage: 'paused', good: 3, ids: [1n], failure: {} }, 'Stopped at 1 of 3'],
  [{ stage: 'done', good: 1, ids: [1n] }, '1 animal was added'],
  [{ stage: 'done', good: 2, ids: [1n, 2n] }, '2 animals were added'],
  [{ stage: 'done', good: 1, ids: [1n], bad: 1 }, '1 added, 1 refused'],
  [{ stage: 'done', bad: 2 }, 'Nothing added, 2 refused'],
])('%p has the heading %s', (counts, heading) => expect(headingOf(runOf(counts))).toBe(heading))

test.each([
  [98_001, '99 s'],
  [140_000, '2 min'],
  [150_000, '3 min'],
])('that an import took %d ms is told as %s', (endedAt, took) => {
  const file = { name: 'a.csv', good: [], bad: [] }
  expect(subtitleOf({ file, stage: 'done', startedAt: 0, endedAt } as never)).toEndWith(`, ${took}`)
})

test('a file has no time before its start is one, and none that it took before its end', () => {
  const file = { name: 'a.csv', good: [{}], bad: [] }
  const told = (stage: string) => subtitleOf({ file, stage, startedAt: 0, endedAt: 3000 } as never)
  expect(told('preview')).toBe('a.csv, 1 line')
  expect(told('paused')).toBe(`a.csv, 1 line, ${timeOf(0)}`)
})

test('the new animals are shown by their number, a single one as it', () =>
  expect([1, 2, 1200].map(showText)).toEqual([
    'Show it in the list',
    'Show the 2 in the list',
    'Show the 1,200 in the list',
  ]))
