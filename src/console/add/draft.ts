import type { NewPet, Pet, PetStatus, PetstoreError } from '../../../client/src/index.ts'
import { INT64_MAX, INT64_MIN } from '../../contract/int64.ts'
import { NAME_MAX_LENGTH } from '../../contract/limits.ts'
import { keyFingerprint } from '../session/api-key.ts'
import { kept } from '../storage.ts'

/** An animal while it is being typed. */
export interface Draft {
  readonly name: string
  readonly category: string
  readonly status: PetStatus
}

/** Names that people give to categories in this browser, by number. */
export type CategoryNames = Readonly<Record<string, string>>

/** Problems by field. */
export type Problems = Readonly<Partial<Record<keyof Draft, string>>>

export const isSameDraft = (one: Draft, other: Draft): boolean =>
  one.name === other.name && one.category.trim() === other.category.trim() && one.status === other.status

/** A category may be typed by its name, if that name is unique in this browser. A number is always that number. */
export function withCategoryNumber(draft: Draft, categoryNames: CategoryNames): Draft {
  const typed = draft.category.trim()
  const named = Object.keys(categoryNames).filter(
    category => categoryNames[category]?.toLowerCase() === typed.toLowerCase(),
  )
  const [only] = named.length === 1 && !/^-?\d+$/.test(typed) ? named : []
  return { ...draft, category: only ?? typed }
}

/** Requires a draft without problems. */
export const petOf = ({ name, category, status }: Draft): NewPet & { categoryId: bigint } => ({
  name,
  categoryId: BigInt(category),
  status,
})

/** Everything that breaks a rule of the contract, in words for people. */
export function problemsIn({ name, category }: Draft): Problems {
  const nameProblem = problemWithName(name)
  const categoryProblem = problemWithCategory(category.trim())
  return { ...(nameProblem && { name: nameProblem }), ...(categoryProblem && { category: categoryProblem }) }
}

function problemWithName(name: string): string | undefined {
  if (/^\p{White_Space}*$/u.test(name)) return 'Enter a name.'
  // Counts code points, as the contract does.
  const length = [...name].length
  if (length > NAME_MAX_LENGTH) return `Use at most ${NAME_MAX_LENGTH} characters. This name has ${length}.`
  if (name.includes('\0') || !name.isWellFormed()) return 'This name has a character that cannot be stored.'
  return undefined
}

function problemWithCategory(category: string): string | undefined {
  if (category === '') return 'Enter a category number.'
  if (!/^-?\d{1,30}$/.test(category))
    return 'Enter a whole number, such as 7, or a name you gave to one category.'
  const isInRange = BigInt(category) >= INT64_MIN && BigInt(category) <= INT64_MAX
  return isInRange ? undefined : `Enter a number from ${INT64_MIN} to ${INT64_MAX}.`
}

/** The outcome of an animal that was sent. */
export type Outcome =
  | { readonly kind: 'pending' }
  /** The response was lost; the animal may have been added. */
  | { readonly kind: 'unknown'; readonly failure: PetstoreError | undefined }
  | { readonly kind: 'added'; readonly pet: Pet }
  | { readonly kind: 'refused'; readonly failure: PetstoreError }

/** An animal that was sent. It keeps one idempotency key until its outcome is known, so it is added only once. */
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

export const newAttempt = (draft: Draft, apiKey: string): Attempt => ({
  key: crypto.getRandomValues(new Uint32Array(4)).join('-'),
  draft,
  sentAt: Date.now(),
  sentBy: keyFingerprint(apiKey),
  outcome: { kind: 'pending' },
})

/** Whether the service would still recognise a retry with this API key. */
export const isSafeToRepeat = ({ sentAt, sentBy }: Attempt, apiKey: string): boolean =>
  sentBy === keyFingerprint(apiKey) && Date.now() - sentAt < SAFE_FOR_MS

/** Whether nothing was stored, provided that nothing else was sent with the idempotency key. */
export const isRefusal = ({ status, code }: PetstoreError): boolean =>
  status !== undefined && status < 500 && code !== 'idempotency_in_progress' && code !== 'unexpected_answer'

export const isOpen = ({ outcome: { kind } }: Attempt): boolean => kind === 'pending' || kind === 'unknown'

/** State that a reload of this tab must not lose: the draft, and animals that may have been added. */
interface KeptAdditions {
  readonly draft?: Draft
  /** The attempt shown in the form. */
  readonly key?: string | undefined
  readonly attempts: readonly Attempt[]
}

export function keptAdditions(): KeptAdditions {
  const found = kept.additions.getJson() as KeptAdditions | undefined
  // Anything still in progress when the page was closed now has an unknown outcome.
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
