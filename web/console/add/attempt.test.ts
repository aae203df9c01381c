import { afterEach, describe, expect, setSystemTime, test } from 'bun:test'
import { type Pet, PetstoreError } from '../../../client/src/index.ts'
import {
  type Attempt,
  canRetry,
  linesOf,
  newAttempt,
  type Outcome,
  outcomeOf,
  sentencesOf,
  summaryOf,
} from './attempt.ts'

const HOUR_MS = 60 * 60 * 1000
const PET: Pet = { id: 1n, name: 'Rex', categoryId: 7n, status: 'available' }

afterEach(() => void setSystemTime())

describe('what became of an animal', () => {
  test('that was stored is that it was added, also if an earlier response was lost', () => {
    for (const wasLost of [false, true]) expect(outcomeOf(PET, wasLost)).toEqual({ kind: 'added', pet: PET })
  })

  test.each<[code: string, status: number | undefined, kind: Outcome['kind']]>([
    ['invalid_body', 400, 'refused'],
    ['invalid_api_key', 401, 'refused'],
    ['body_too_large', 413, 'refused'],
    ['idempotency_key_reused', 422, 'refused'],
    ['rate_limited', 429, 'refused'],
    ['a_later_code', 499, 'refused'],
    ['unavailable', 503, 'refused'],
    // The first request may be stored yet.
    ['idempotency_in_progress', 409, 'unknown'],
    ['outcome_unknown', 503, 'unknown'],
    ['internal_error', 500, 'unknown'],
    ['a_later_code', 502, 'unknown'],
    // Whoever responded was not the service.
    ['unexpected_answer', 200, 'unknown'],
    ['unexpected_answer', 404, 'unknown'],
    ['unexpected_answer', 503, 'unknown'],
    ['connection_failed', undefined, 'unknown'],
    ['timeout', undefined, 'unknown'],
    ['aborted', undefined, 'unknown'],
  ])('after %s with status %p is %s, and unknown if an earlier response was lost', (code, status, kind) => {
    const message = 'It may or may not have been stored.'
    const failure = new PetstoreError(code, message, { status })
    const refused = { kind: 'refused', failure: { code, message } } as const
    expect(outcomeOf(failure, false)).toEqual(kind === 'refused' ? refused : { kind: 'unknown' })
    expect(outcomeOf(failure, true)).toEqual({ kind: 'unknown' })
  })
})

const attempt = (outcome: Outcome): Attempt => ({
  ...newAttempt({ name: 'Rex', category: '7', status: 'available' }, 'one key'),
  outcome,
})
const refused = (code: string): Outcome => ({ kind: 'refused', failure: { code, message: '' } })

describe('an animal may be sent again', () => {
  test.each<[what: string, outcome: Outcome, hours: number, apiKey: string, may: boolean]>([
    ['after a lost response', { kind: 'unknown' }, 0, 'one key', true],
    ['after a lost response, just in time', { kind: 'unknown' }, 22.9, 'one key', true],
    ['after a lost response that the service may have forgotten', { kind: 'unknown' }, 23, 'one key', false],
    ['after a lost response, with another API key', { kind: 'unknown' }, 0, 'another key', false],
    ['while it is on its way', { kind: 'pending' }, 0, 'one key', false],
    ['when it was added', { kind: 'added', pet: PET }, 0, 'one key', false],
    ['after too many requests', refused('rate_limited'), 25, 'another key', true],
    ['after its API key was refused', refused('invalid_api_key'), 25, 'another key', true],
    ['after a 503, when nothing was stored', refused('unavailable'), 25, 'another key', true],
    ['without an API key', refused('missing_api_key'), 0, 'another key', true],
    ['although it is wrong', refused('invalid_body'), 0, 'one key', false],
    ['although it is too large', refused('body_too_large'), 0, 'one key', false],
  ])('%s', (_what, outcome, hours, apiKey, may) => {
    const sent = attempt(outcome)
    setSystemTime(sent.sentAt + hours * HOUR_MS)
    expect(canRetry(sent, apiKey)).toBe(may)
  })
})

test('each animal has its own idempotency key, and nothing of its API key but a short fingerprint', () => {
  const draft = { name: 'Rex', category: '7', status: 'available' } as const
  const attempts = Array.from({ length: 100 }, () => newAttempt(draft, 'pets_live_secret'))
  expect(new Set(attempts.map(({ key }) => key)).size).toBe(100)
  expect(new Set(attempts.map(({ sentBy }) => sentBy))).toEqual(
    new Set([expect.stringMatching(/^[\da-f]{1,4}$/)]),
  )
})

/** So many with each outcome, in another order than they are told. */
const attempts = (added: number, pending: number, notAdded: number, unknown: number): Attempt[] => [
  ...Array.from({ length: added }, (_, n) => attempt({ kind: 'added', pet: { ...PET, id: BigInt(n + 1) } })),
  ...Array.from({ length: pending }, () => attempt({ kind: 'pending' })),
  ...Array.from({ length: notAdded }, () => attempt(refused('invalid_body'))),
  ...Array.from({ length: unknown }, () => attempt({ kind: 'unknown' })),
]

test.each<[counts: Parameters<typeof attempts>, sentence: string]>([
  [[0, 0, 0, 0], ''],
  [[9, 0, 0, 0], ''],
  [[9, 1, 0, 0], 'Adding 1 animal…'],
  [[0, 2, 0, 0], 'Adding 2 animals…'],
  [[1, 0, 1, 0], '1 animal needs your attention: 1 not added.'],
  [[0, 0, 1200, 0], '1,200 animals need your attention: 1,200 not added.'],
  [[0, 0, 2, 1], '3 animals need your attention: 1 may have been added, 2 not added.'],
  [[9, 2, 0, 1], '1 animal needs your attention: 1 may have been added. Adding 2 animals…'],
])('above the list, %p are: %s', (counts, sentence) =>
  expect(
    sentencesOf(attempts(...counts))
      .join(' ')
      .trim(),
  ).toBe(sentence),
)

test.each<[counts: Parameters<typeof attempts>, first: string, rest: string]>([
  [[0, 0, 0, 0], '', ''],
  [[4, 0, 0, 0], '3 added', ''],
  [[40, 2, 2, 0], '2 not added, 2 on the way, 2 added', ''],
  [[3, 0, 11, 6], '6 may have been added', '11 not added'],
  [[3, 3, 8, 0], '6 not added', '2 not added, 3 on the way'],
  [[5, 0, 0, 7], '6 may have been added', '1 may have been added'],
])('of %p the first lines are: %s; the rest: %s', (counts, first, rest) =>
  expect(linesOf(attempts(...counts)).map(summaryOf)).toEqual([first, rest]),
)

test('the last animals that were added are the first of them', () =>
  expect(linesOf(attempts(4, 0, 0, 0))[0].map(({ outcome }) => 'pet' in outcome && outcome.pet.id)).toEqual([
    4n,
    3n,
    2n,
  ]))
