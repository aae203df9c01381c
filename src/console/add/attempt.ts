import type { Pet, PetstoreError } from '../../../client/src/index.ts'
import { keyFingerprint } from '../session/api-key.ts'
import { kept } from '../storage.ts'
import { type Draft, isSameDraft } from './draft.ts'

/** What became of an animal that was sent. */
export type Outcome =
  | { readonly kind: 'pending' }
  /** The response was lost: it may have been added. */
  | { readonly kind: 'unknown'; readonly failure: PetstoreError | undefined }
  | { readonly kind: 'added'; readonly pet: Pet }
  | { readonly kind: 'refused'; readonly failure: PetstoreError }

/** An animal on its way: all that is sent for it carries one idempotency key, so it is added once. */
export interface Attempt {
  readonly key: string
  /** What was sent under this key, the latest last. Only one of them can have been added. */
  readonly drafts: readonly [Draft, ...Draft[]]
  readonly sentAt: number
  /** The fingerprint of its API key: an idempotency key counts for one only. */
  readonly sentBy: string
  readonly outcome: Outcome
}

/** A little less than the service remembers a key. */
const SAFE_FOR_MS = 23 * 60 * 60 * 1000

export const newAttempt = (draft: Draft, apiKey: string): Attempt => ({
  key: crypto.getRandomValues(new Uint32Array(4)).join('-'),
  drafts: [draft],
  sentAt: Date.now(),
  sentBy: keyFingerprint(apiKey),
  outcome: { kind: 'pending' },
})

export const latestOf = ({ drafts }: Attempt): Draft => drafts.at(-1) ?? drafts[0]

/** The same attempt, with what the form says now. */
export function withDraft(attempt: Attempt, draft: Draft): Attempt {
  const [first, ...later] = attempt.drafts.filter(one => !isSameDraft(one, draft))
  return { ...attempt, drafts: first ? [first, ...later, draft] : [draft] }
}

/** Whether a repeat with this API key is still the same request to the service. */
export const isSafeToRepeat = ({ sentAt, sentBy }: Attempt, apiKey: string): boolean =>
  sentBy === keyFingerprint(apiKey) && Date.now() - sentAt < SAFE_FOR_MS

/** Whether nothing was stored, if nothing else was sent under the key. */
export const isRefusal = ({ status, code }: PetstoreError): boolean =>
  status !== undefined && status < 500 && code !== 'idempotency_in_progress' && code !== 'unexpected_answer'

export const isOpen = ({ outcome: { kind } }: Attempt): boolean => kind === 'pending' || kind === 'unknown'

/** What a reload of this tab must not lose: what is typed, and what may have been added. */
export interface KeptAdditions {
  readonly draft?: Draft
  /** The attempt that the form is about. */
  readonly key?: string | undefined
  readonly attempts: readonly Attempt[]
}

export function keptAdditions(): KeptAdditions {
  const found = kept.additions.getJson() as KeptAdditions | undefined
  // Whatever was on its way when the page went has an unknown outcome now.
  const attempts = (found?.attempts ?? []).map(attempt => ({
    ...attempt,
    outcome: { kind: 'unknown', failure: undefined } as const,
  }))
  return { ...found, attempts }
}

export function keepAdditions({ draft, key, attempts }: KeptAdditions): void {
  const open = attempts.filter(isOpen).map(attempt => ({ ...attempt, outcome: undefined }))
  kept.additions.setJson(
    draft === undefined && open.length === 0 ? undefined : { draft, key, attempts: open },
  )
}
