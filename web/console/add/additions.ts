import { AuthenticationError, PET_STATUSES, type Pet } from '../../../client/src/index.ts'
import { kept } from '../../storage.ts'
import { Observed } from '../parts/hooks.ts'
import { failureOf, petsApi } from '../session/api.ts'
import { type Attempt, canRetry, newAttempt, outcomeOf } from './attempt.ts'
import { type CategoryNames, type Draft, numberOf, type Problems, petOf, problemsIn } from './draft.ts'

/** The session that sends an animal. */
interface Sender {
  readonly apiKey: string
  readonly leave: (reason: string) => void
}

/**
 * The form and all animals being added. They live outside the form component, so that a response is handled even if the form was
 * closed, reopened or reloaded since.
 */
export class Additions {
  readonly state = new Observed<Additions>(this)
  lastCategory: string
  /** The form always has the next animal. Animals that were sent are among the attempts. */
  draft: Draft
  problems: Problems = {}
  /** In the order in which they were last sent or got their outcome. Those that were added are forgotten by a reload. */
  attempts: readonly Attempt[]
  /** The attempt whose outcome arrived last, until the next one is sent or the news is old. */
  latest: Attempt | undefined
  /** The list of the present session. Animals sent by an earlier one are shown in it too. */
  index: { readonly add: (pet: Pet) => void } | undefined

  constructor() {
    const { lastCategory = '', draft, attempts = [] }: Partial<Additions> = Object(kept.additions.getJson())
    this.lastCategory = lastCategory
    this.draft = draft ?? this.#blank()
    // Anything still in progress when the page was closed now has an unknown outcome.
    this.attempts = attempts.map(attempt =>
      attempt.outcome?.kind === 'refused' ? attempt : { ...attempt, outcome: { kind: 'unknown' } },
    )
  }

  get added(): readonly Pet[] {
    return this.attempts.flatMap(({ outcome }) => (outcome.kind === 'added' ? [outcome.pet] : []))
  }

  /** Whether nothing has been typed. */
  get isBlank(): boolean {
    return this.draft.name === '' && this.draft.category.trim() === this.lastCategory
  }

  /** What was typed stays in the form as a draft. */
  leave(): void {
    this.#set({ draft: this.isBlank ? this.#blank() : this.draft, problems: {} })
  }

  edit(change: Partial<Draft>): void {
    const others = Object.entries(this.problems).filter(([field]) => !Object.hasOwn(change, field))
    this.#set({ draft: { ...this.draft, ...change }, problems: Object.fromEntries(others) })
  }

  /** Says what is wrong with a field that has not been sent. */
  report(problems: Problems): void {
    this.#set({ problems })
  }

  /** Fills in a name, unless something has been typed. */
  suggest(name: string): void {
    if (this.draft.name === '') this.edit({ name })
  }

  clear(): void {
    this.#set({ draft: this.#blank(), problems: {} })
  }

  /** Sends the animal and makes the form ready for the next one, or returns the first field with a problem. */
  submit(sender: Sender, categoryNames: CategoryNames): keyof Draft | undefined {
    const { name, category, status } = this.draft
    const draft = { name: name.trim(), category: numberOf(category, categoryNames), status }
    const problems = problemsIn(draft)
    const wrong = (['name', 'category'] as const).find(field => problems[field])
    if (wrong) this.#set({ problems })
    else {
      this.lastCategory = draft.category
      void this.#send(newAttempt(draft, sender.apiKey), sender)
      this.#set({ draft: this.#blank(), problems })
    }
    return wrong
  }

  retry(attempts: readonly Attempt[], sender: Sender): void {
    for (const attempt of attempts) {
      // A second click may come with an attempt that is on its way already.
      if (!this.attempts.includes(attempt) || !canRetry(attempt, sender.apiKey)) continue
      const again = newAttempt(attempt.draft, sender.apiKey, attempt.key)
      const wasLost = attempt.outcome.kind === 'unknown'
      // After a lost response, the service may remember the first request.
      void this.#send(wasLost ? { ...again, sentAt: attempt.sentAt } : again, sender, wasLost)
    }
  }

  /** Puts a rejected animal back into the form, unless something else has been typed there. */
  correct(attempt: Attempt): void {
    if (this.draft.name !== '') return
    this.#set({ draft: attempt.draft, problems: {}, attempts: this.#without(attempt) })
  }

  dismiss(attempt: Attempt): void {
    this.#set({ attempts: this.#without(attempt) })
  }

  forgetNews(): void {
    this.#set({ latest: undefined })
  }

  /** Keeps animals that were sent, because the same person may sign in again. */
  signOut(): void {
    this.lastCategory = ''
    const attempts = this.attempts.filter(({ outcome }) => outcome.kind !== 'added')
    this.#set({ draft: this.#blank(), problems: {}, attempts, latest: undefined })
  }

  async #send(attempt: Attempt, { apiKey, leave }: Sender, wasLost = false): Promise<void> {
    this.#set({ attempts: [...this.#without(attempt), attempt], latest: undefined })
    const adding = petsApi(apiKey).create(petOf(attempt.draft), { idempotencyKey: attempt.key })
    const result = await adding.catch(failureOf)
    const settled = { ...attempt, outcome: outcomeOf(result, wasLost) }
    this.#set({ attempts: [...this.#without(attempt), settled], latest: settled })
    if (settled.outcome.kind === 'added') this.index?.add(settled.outcome.pet)
    else if (result instanceof AuthenticationError) leave(result.message)
  }

  /** Starts with the category of the last animal, because the next one often has the same. */
  #blank(): Draft {
    return { name: '', category: this.lastCategory, status: PET_STATUSES[0] }
  }

  #without({ key }: Attempt): readonly Attempt[] {
    return this.attempts.filter(one => one.key !== key)
  }

  #set(change: Partial<Pick<Additions, 'draft' | 'problems' | 'attempts' | 'latest'>>): void {
    Object.assign(this, change)
    const { draft, lastCategory } = this
    const attempts = this.attempts.filter(({ outcome }) => outcome.kind !== 'added')
    // If the new state does not fit in the storage, a reload must not bring back an animal that was sent since.
    kept.additions.set(undefined)
    kept.additions.setJson({ draft, attempts, lastCategory })
    this.state.set(this)
  }
}
