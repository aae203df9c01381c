import type { Pet, PetstoreError } from '../../../client/src/index.ts'
import { keyFingerprint } from '../session/api-key.ts'
import { kept } from '../storage.ts'
import type { Draft } from './draft.ts'

/** As much of a failure as outlasts a reload. */
export type Failure = Pick<PetstoreError, 'code' | 'message' | 'requestId'>

/** The outcome of an animal that was sent. */
export type Outcome =
  | { readonly kind: 'pending' }
  /** The response was lost; the animal may have been added. */
  | { readonly kind: 'unknown'; readonly failure: Failure | undefined }
  | { readonly kind: 'added'; readonly pet: Pet }
  /** Nothing was stored. */
  | { readonly kind: 'refused'; readonly failure: Failure }

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
const TEMPORARY = new Set(['rate_limited', 'unavailable', 'missing_api_key', 'invalid_api_key'])

export const newAttempt = (draft: Draft, apiKey: string): Attempt => ({
  key: crypto.getRandomValues(new Uint32Array(4)).join('-'),
  draft,
  sentAt: Date.now(),
  sentBy: keyFingerprint(apiKey),
  outcome: { kind: 'pending' },
})

/** The attempt as it is sent once more. After a lost response, the service may remember the first request. */
export const resent = (attempt: Attempt, apiKey: string): Attempt =>
  attempt.outcome.kind === 'unknown'
    ? { ...attempt, outcome: { kind: 'pending' } }
    : { ...newAttempt(attempt.draft, apiKey), key: attempt.key }

/** Whether the service would still recognise a retry with this API key. */
const isRecognised = ({ sentAt, sentBy }: Attempt, apiKey: string): boolean =>
  sentBy === keyFingerprint(apiKey) && Date.now() - sentAt < SAFE_FOR_MS

/** Whether it may be sent again as it is. */
export function canRetry(attempt: Attempt, apiKey: string): boolean {
  const { outcome } = attempt
  if (outcome.kind === 'refused') return TEMPORARY.has(outcome.failure.code)
  return outcome.kind === 'unknown' && isRecognised(attempt, apiKey)
}

/** Whether nothing was stored, provided that nothing else was sent with the idempotency key. */
export const isRefusal = ({ status, code }: PetstoreError): boolean =>
  status !== undefined && status < 500 && code !== 'idempotency_in_progress' && code !== 'unexpected_answer'

/** How many are on their way and how many need a decision, in words. */
export function summaryOf(attempts: readonly Attempt[]): string {
  const pending = attempts.filter(({ outcome }) => outcome.kind === 'pending').length
  const open = attempts.length - pending
  const parts = [
    pending > 0 && `${pending} on ${pending === 1 ? 'its' : 'their'} way`,
    open > 0 && `${open} need${open === 1 ? 's' : ''} you`,
  ]
  return parts.filter(Boolean).join(', ')
}

/** State that a reload of this tab must not lose. */
interface KeptAdditions {
  readonly draft?: Draft
  readonly attempts: readonly Attempt[]
}

export function keptAdditions(): KeptAdditions {
  const found: Partial<KeptAdditions> = Object(kept.additions.getJson())
  // Anything still in progress when the page was closed now has an unknown outcome.
  const attempts = (found.attempts ?? []).map(attempt =>
    attempt.outcome?.kind === 'refused'
      ? attempt
      : { ...attempt, outcome: { kind: 'unknown', failure: undefined } as const },
  )
  return { ...found, attempts }
}

export function keepAdditions({ draft, attempts }: KeptAdditions): void {
  kept.additions.setJson(draft === undefined && attempts.length === 0 ? undefined : { draft, attempts })
}
