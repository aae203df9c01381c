import type { Pet, PetstoreError } from '../../../client/src/index.ts'
import type { Draft } from './draft.ts'

/** What became of an animal that was sent. */
export type Outcome =
  | { readonly kind: 'pending' }
  /** The answer was lost: it may have been added. */
  | { readonly kind: 'unknown'; readonly failure: PetstoreError | undefined }
  | { readonly kind: 'added'; readonly pet: Pet }
  | { readonly kind: 'refused'; readonly failure: PetstoreError }

/** An animal on its way: all that is sent for it carries one idempotency key, so it is added once. */
export interface Attempt {
  readonly key: string
  /** What was sent under this key, the latest last. Only one of them can have been added. */
  readonly drafts: readonly [Draft, ...Draft[]]
  readonly sentAt: number
  /** Tells one API key from another, as an idempotency key counts for one only. */
  readonly signedInAs: string
  readonly outcome: Outcome
}

/** A little less than the service remembers a key. */
const SAFE_FOR_MS = 23 * 60 * 60 * 1000

export function newAttempt(draft: Draft, apiKey: string): Attempt {
  const key = crypto.getRandomValues(new Uint32Array(4)).join('-')
  const signedInAs = markOf(apiKey)
  return { key, drafts: [draft], sentAt: Date.now(), signedInAs, outcome: { kind: 'pending' } }
}

export const latestOf = ({ drafts }: Attempt): Draft => drafts.at(-1) ?? drafts[0]

/** Whether a repeat with this API key is still the same request to the service. */
export const isSafeToRepeat = ({ sentAt, signedInAs }: Attempt, apiKey: string): boolean =>
  signedInAs === markOf(apiKey) && Date.now() - sentAt < SAFE_FOR_MS

/** 16 bits: enough to tell two keys apart, and of no use to find one. */
function markOf(apiKey: string): string {
  let mark = 0
  for (const character of apiKey) mark = (mark * 31 + (character.codePointAt(0) ?? 0)) & 0xffff
  return mark.toString(16)
}

/** Answers after which nothing was stored, if nothing else was sent under the key. */
export const isRefusal = ({ status, code }: PetstoreError): boolean =>
  status !== undefined && status < 500 && code !== 'idempotency_in_progress' && code !== 'unexpected_answer'
