import {
  AuthenticationError,
  PET_STATUSES,
  type Pet,
  type PetStatus,
  PetstoreError,
} from '../../../client/src/index.ts'
import { Observed } from '../parts/hooks.ts'
import { connect, failureOf, type RecordedRequest } from '../session/connect.ts'
import { kept } from '../storage.ts'
import {
  type Attempt,
  canRetry,
  isRefusal,
  keepAdditions,
  keptAdditions,
  newAttempt,
  type Outcome,
  resent,
} from './attempt.ts'
import {
  type CategoryNames,
  type Draft,
  isSameDraft,
  type Problems,
  petOf,
  problemsIn,
  withCategoryNumber,
} from './draft.ts'

/** The form always has the next animal. Animals that were sent are among the attempts. */
export interface Form {
  readonly draft: Draft
  readonly problems: Problems
}

interface AdditionsState {
  readonly form: Form
  /** Animals that were sent and not added yet, in the order in which they were last sent. */
  readonly attempts: readonly Attempt[]
  /** Animals added since signing in or the last reload. */
  readonly added: readonly Pet[]
  /** The attempt whose outcome arrived last, until the next one is sent or the news is old. */
  readonly latest: Attempt | undefined
  readonly exchange: RecordedRequest | undefined
}

interface AdditionsListener {
  readonly onAdded: (pet: Pet) => void
  readonly onRefused: (reason: string) => void
}

/**
 * The form and all animals being added. They live outside the form component, so that a response is handled even if the form was
 * closed, reopened or reloaded since.
 */
export class Additions {
  readonly state: Observed<AdditionsState>
  readonly #categoryNames: () => CategoryNames
  #listener: AdditionsListener | undefined

  constructor(categoryNames: () => CategoryNames) {
    this.#categoryNames = categoryNames
    const { draft, attempts } = keptAdditions()
    const form = draft ? { draft, problems: {} } : blankForm()
    this.state = new Observed<AdditionsState>({
      form,
      attempts,
      added: [],
      latest: undefined,
      exchange: undefined,
    })
  }

  listen(listener: AdditionsListener): () => void {
    this.#listener = listener
    return () => {
      if (this.#listener === listener) this.#listener = undefined
    }
  }

  /** What was typed stays in the form as a draft. */
  leave(): void {
    const { draft } = this.state.value.form
    this.#set({ form: isEmptyDraft(draft) ? blankForm() : { draft, problems: {} } })
  }

  edit(change: Partial<Draft>): void {
    const { draft, problems } = this.state.value.form
    const others = Object.entries(problems).filter(([field]) => !Object.hasOwn(change, field))
    this.#set({ form: { draft: { ...draft, ...change }, problems: Object.fromEntries(others) } })
  }

  /** Fills in a name, unless something has been typed. */
  suggest(name: string): void {
    if (this.state.value.form.draft.name === '') this.edit({ name })
  }

  clear(): void {
    this.#set({ form: blankForm() })
  }

  /** Sends the animal and makes the form ready for the next one. Returns the problems with it. */
  submit(apiKey: string): Problems {
    const typed = this.state.value.form.draft
    const draft = withCategoryNumber(typed, this.#categoryNames())
    const problems = problemsIn(draft)
    if (Object.keys(problems).length > 0) this.#set({ form: { draft: typed, problems } })
    else {
      kept.lastCategory.set(draft.category)
      void this.#send(newAttempt(draft, apiKey), apiKey)
      this.#set({ form: blankForm(draft.status) })
    }
    return problems
  }

  retry(attempts: readonly Attempt[], apiKey: string): void {
    for (const attempt of attempts) {
      // A second click may come with an attempt that is on its way already.
      const isCurrent = this.state.value.attempts.includes(attempt)
      if (isCurrent && canRetry(attempt, apiKey))
        void this.#send(resent(attempt, apiKey), apiKey, attempt.outcome.kind === 'unknown')
    }
  }

  /** Puts a rejected animal back into the form, unless something else has been typed there. */
  correct(attempt: Attempt): void {
    if (attempt.outcome.kind !== 'refused' || this.state.value.form.draft.name !== '') return
    this.#set({ form: { draft: attempt.draft, problems: {} }, attempts: this.#without(attempt) })
  }

  dismiss(attempt: Attempt): void {
    this.#set({ attempts: this.#without(attempt) })
  }

  forgetNews(): void {
    this.#set({ latest: undefined })
  }

  /** Keeps animals that were sent, because the same person may sign in again. */
  signOut(): void {
    kept.lastCategory.set(undefined)
    this.#set({ form: blankForm(), added: [], latest: undefined, exchange: undefined })
  }

  /** A rejected retry says nothing about earlier requests whose response was lost. */
  async #send(attempt: Attempt, apiKey: string, isUncertain = false): Promise<void> {
    this.#set({ attempts: [...this.#without(attempt), attempt], latest: undefined })
    const pets = connect(apiKey, exchange => this.#set({ exchange }))
    const result = await pets.create(petOf(attempt.draft), { idempotencyKey: attempt.key }).catch(failureOf)
    if (!(result instanceof PetstoreError)) {
      this.#set({ added: [...this.state.value.added, result] })
      this.#settle(attempt, { kind: 'added', pet: result })
      this.#listener?.onAdded(result)
      return
    }
    const { code, message, requestId } = result
    const kind = isRefusal(result) && !isUncertain ? 'refused' : 'unknown'
    this.#settle(attempt, { kind, failure: { code, message, requestId } })
    if (result instanceof AuthenticationError) this.#listener?.onRefused(message)
  }

  #settle(attempt: Attempt, outcome: Outcome): void {
    const settled = { ...attempt, outcome }
    const others = this.#without(attempt)
    this.#set({ attempts: outcome.kind === 'added' ? others : [...others, settled], latest: settled })
  }

  #without({ key }: Attempt): readonly Attempt[] {
    return this.state.value.attempts.filter(one => one.key !== key)
  }

  #set(change: Partial<AdditionsState>): void {
    this.state.set({ ...this.state.value, ...change })
    const { form, attempts } = this.state.value
    keepAdditions({ attempts, ...(!isEmptyDraft(form.draft) && { draft: form.draft }) })
  }
}

export const isEmptyDraft = (draft: Draft): boolean => isSameDraft(draft, blankForm(draft.status).draft)

/** Starts with the category of the last animal, because the next one often has the same. */
const blankForm = (status: PetStatus = PET_STATUSES[0]): Form => ({
  draft: { name: '', category: kept.lastCategory.get() ?? '', status },
  problems: {},
})
