import { newIdempotencyKey, type Pet, PetstoreError } from '../../../client/src/index.ts'
import { keyFingerprint } from '../../api-key.ts'
import { animals, grouped } from '../parts/words.ts'
import type { Draft } from './draft.ts'

/** The outcome of an animal that was sent. After a lost response it is unknown: the animal may have been added. */
export type Outcome =
  | { readonly kind: 'pending' | 'unknown' }
  | { readonly kind: 'added'; readonly pet: Pet }
  /** Nothing was stored. */
  | { readonly kind: 'refused'; readonly failure: Pick<PetstoreError, 'code' | 'message'> }

/**
 * An animal that was sent. It cannot be changed, because it would become a different animal, and keeps one idempotency key
 * through all retries and reloads, so it is added only once.
 */
export interface Attempt {
  readonly key: string
  readonly draft: Draft
  readonly sentAt: number
  /** The fingerprint of its API key. An idempotency key is valid for one API key only. */
  readonly sentBy: string
  readonly outcome: Outcome
}

/** A little less than the service remembers an idempotency key. */
const SAFE_FOR_MS = 23 * 60 * 60 * 1000
export const isRemembered = (sentAt: number): boolean => Date.now() - sentAt < SAFE_FOR_MS

/** Rejections of an animal that is not wrong itself. */
const TEMPORARY = new Set(['rate_limited', 'unavailable', 'missing_api_key', 'invalid_api_key'])

export const newAttempt = (draft: Draft, apiKey: string, key = newIdempotencyKey()): Attempt => ({
  key,
  draft,
  sentAt: Date.now(),
  sentBy: keyFingerprint(apiKey),
  outcome: { kind: 'pending' },
})

/** Whether it may be sent again as it is: it was not wrong, or the service would still recognise it. */
export function canRetry({ outcome, sentBy, sentAt }: Attempt, apiKey: string): boolean {
  if (outcome.kind === 'refused') return TEMPORARY.has(outcome.failure.code)
  return outcome.kind === 'unknown' && sentBy === keyFingerprint(apiKey) && isRemembered(sentAt)
}

/** A rejected retry says nothing about an earlier request whose response was lost. */
export function outcomeOf(result: Pet | PetstoreError, wasLost: boolean): Outcome {
  if (!(result instanceof PetstoreError)) return { kind: 'added', pet: result }
  const { status = 500, code, message } = result
  const isUnclear = status >= 500 || code === 'idempotency_in_progress' || code === 'unexpected_answer'
  const isLost = isUnclear && code !== 'unavailable'
  return isLost || wasLost ? { kind: 'unknown' } : { kind: 'refused', failure: { code, message } }
}

/** Whether a person has to decide about it. */
export const isOpen = ({ outcome: { kind } }: Attempt): boolean => kind === 'unknown' || kind === 'refused'

const WORDS = { unknown: 'may have been added', refused: 'not added', pending: 'on the way', added: 'added' }

/** How many have which outcome, in words, those first that a person has to decide about. */
export function summaryOf(attempts: readonly Attempt[]): string {
  const kinds: Partial<Record<string, Attempt[]>> = Object.groupBy(attempts, ({ outcome }) => outcome.kind)
  const parts = Object.entries(WORDS).map(
    ([kind, words]) => kinds[kind] && `${grouped(kinds[kind].length)} ${words}`,
  )
  return parts.filter(Boolean).join(', ')
}

/** The same above the list: those that need a decision, and those that are on their way. */
export function sentencesOf(attempts: readonly Attempt[]): readonly [needsYou: string, rest: string] {
  const open = attempts.filter(isOpen)
  const pending = attempts.filter(({ outcome }) => outcome.kind === 'pending').length
  const adding = pending > 0 ? `Adding ${animals(pending)}…` : ''
  if (open.length === 0) return ['', adding]
  const need = open.length === 1 ? 'needs' : 'need'
  return [`${animals(open.length)} ${need} your attention:`, `${summaryOf(open)}. ${adding}`.trim()]
}

const MOST_LINES = 6
const MOST_ADDED = 3

/** The lines below the form, first those that a person has to decide about. Animals that were added only fill up the first ones. */
export function linesOf(attempts: readonly Attempt[]) {
  const ofKind = (kind: Outcome['kind']) => attempts.filter(({ outcome }) => outcome.kind === kind)
  const unsettled = [...ofKind('unknown'), ...ofKind('refused'), ...ofKind('pending')]
  const room = Math.max(0, Math.min(MOST_ADDED, MOST_LINES - unsettled.length))
  const lines = [...unsettled, ...ofKind('added').reverse().slice(0, room)]
  return [lines.slice(0, MOST_LINES), lines.slice(MOST_LINES)] as const
}
