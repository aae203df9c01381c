import { type Pet, PetstoreError } from '../../../client/src/index.ts'
import { keyFingerprint } from '../session/api-key.ts'
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

/** Rejections of an animal that is not wrong itself. */
const TEMPORARY = new Set(['rate_limited', 'missing_api_key', 'invalid_api_key'])

const newKey = (): string => crypto.getRandomValues(new Uint32Array(4)).join('-')

export const newAttempt = (draft: Draft, apiKey: string, key = newKey()): Attempt => ({
  key,
  draft,
  sentAt: Date.now(),
  sentBy: keyFingerprint(apiKey),
  outcome: { kind: 'pending' },
})

/** Whether it may be sent again as it is: it was not wrong, or the service would still recognise it. */
export function canRetry({ outcome, sentBy, sentAt }: Attempt, apiKey: string): boolean {
  if (outcome.kind === 'refused') return TEMPORARY.has(outcome.failure.code)
  const isRecognised = sentBy === keyFingerprint(apiKey) && Date.now() - sentAt < SAFE_FOR_MS
  return outcome.kind === 'unknown' && isRecognised
}

/** A rejected retry says nothing about an earlier request whose response was lost. */
export function outcomeOf(result: Pet | PetstoreError, wasLost: boolean): Outcome {
  if (!(result instanceof PetstoreError)) return { kind: 'added', pet: result }
  const { status = 500, code, message } = result
  const isLost = status >= 500 || code === 'idempotency_in_progress' || code === 'unexpected_answer'
  return isLost || wasLost ? { kind: 'unknown' } : { kind: 'refused', failure: { code, message } }
}

/** Whether a person has to decide about it. */
export const isOpen = ({ outcome: { kind } }: Attempt): boolean => kind === 'unknown' || kind === 'refused'

const count = (attempts: readonly Attempt[], kind: Outcome['kind']): number =>
  attempts.filter(({ outcome }) => outcome.kind === kind).length

/** How many are on their way and how many need a decision, in words. */
export function summaryOf(attempts: readonly Attempt[]): string {
  const pending = count(attempts, 'pending')
  const open = attempts.filter(isOpen).length
  const parts = [
    pending > 0 && `${pending} on ${pending === 1 ? 'its' : 'their'} way`,
    open > 0 && `${open} need${open === 1 ? 's' : ''} you`,
  ]
  return parts.filter(Boolean).join(', ')
}

/** The same in sentences: those that need a decision, and what became of them. Then those on their way. */
export function sentencesOf(attempts: readonly Attempt[]): readonly [needsYou: string, rest: string] {
  const [unknown, refused] = [count(attempts, 'unknown'), count(attempts, 'refused')]
  const pending = count(attempts, 'pending')
  const open = unknown + refused
  const outcomes = [
    unknown > 0 && `${open === 1 ? 'it' : unknown} may have been added`,
    refused > 0 && `${open === 1 ? 'it' : refused} ${refused === 1 ? 'was' : 'were'} not`,
  ]
  const what = open > 0 ? '' : pending === 1 ? ' addition' : ' additions'
  const rest = [
    open > 0 && `${outcomes.filter(Boolean).join(', ')}${unknown > 0 ? '.' : ' added.'}`,
    pending > 0 && `${pending}${what} ${pending === 1 ? 'is on its' : 'are on their'} way.`,
  ]
  const needsYou = open === 1 ? '1 addition needs you:' : `${open} additions need you:`
  return [open > 0 ? needsYou : '', rest.filter(Boolean).join(' ')]
}
