import {
  AuthenticationError,
  PET_STATUSES,
  type Pet,
  type PetStatus,
  type PetstoreError,
} from '../../../client/src/index.ts'
import { Observed } from '../parts/hooks.ts'
import { connect, failureOf, type RecordedRequest } from '../session/connect.ts'
import { kept } from '../storage.ts'
import {
  type Attempt,
  type CategoryNames,
  type Draft,
  isOpen,
  isRefusal,
  isSafeToRepeat,
  isSameDraft,
  keepAdditions,
  keptAdditions,
  newAttempt,
  type Outcome,
  type Problems,
  petOf,
  problemsIn,
  withCategoryNumber,
} from './draft.ts'

/** State of the form. A sent animal cannot be edited until its outcome is known, because it would become a different animal. */
type FormState =
  | { readonly kind: 'editing'; readonly failure?: PetstoreError | undefined }
  | { readonly kind: 'sending'; readonly key: string }
  /** The response was lost. The animal can be sent again or put aside. */
  | { readonly kind: 'lost'; readonly key: string }

export interface Form {
  readonly draft: Draft
  readonly problems: Problems
  readonly state: FormState
}

interface AdditionsState {
  readonly form: Form
  readonly attempts: readonly Attempt[]
  /** Animals added since signing in. */
  readonly added: readonly Pet[]
  readonly exchange: RecordedRequest | undefined
}

interface AdditionsListener {
  readonly onAdded: (pet: Pet, isFormDone: boolean) => void
  readonly onRefused: (reason: string) => void
}

/**
 * The form and all animals being added. They live outside the form component, so that a response is handled even if the form was
 * cancelled, reopened or reloaded since.
 */
export class Additions {
  readonly state: Observed<AdditionsState>
  readonly #categoryNames: () => CategoryNames
  #listener: AdditionsListener | undefined

  constructor(categoryNames: () => CategoryNames) {
    this.#categoryNames = categoryNames
    const { draft, key, attempts } = keptAdditions()
    const state: FormState = key === undefined ? { kind: 'editing' } : { kind: 'lost', key }
    const form = draft ? { draft, problems: {}, state } : blankForm()
    this.state = new Observed<AdditionsState>({ form, attempts, added: [], exchange: undefined })
  }

  listen(listener: AdditionsListener): () => void {
    this.#listener = listener
    return () => {
      if (this.#listener === listener) this.#listener = undefined
    }
  }

  /** Puts an animal whose response was lost into an empty form, so that it is not typed and added a second time. */
  open(apiKey: string): void {
    this.#putAsideUnlessSafe(apiKey)
    const { form, attempts } = this.state.value
    if (form.state.kind !== 'editing' || form.draft.name !== '') return
    const lost = attempts.find(one => one.outcome.kind === 'unknown' && isSafeToRepeat(one, apiKey))
    if (lost) this.#setForm({ draft: lost.draft, problems: {}, state: { kind: 'lost', key: lost.key } })
  }

  /** A request in progress continues; anything else stays in the form as a draft. */
  leave(): void {
    const { draft, state } = this.state.value.form
    if (state.kind === 'sending') this.#setForm(blankForm())
    else this.#setForm({ draft, problems: {}, state: state.kind === 'lost' ? state : { kind: 'editing' } })
  }

  edit(change: Partial<Draft>): void {
    const { form } = this.state.value
    if (form.state.kind !== 'editing') return
    const problems = Object.entries(form.problems).filter(([field]) => !Object.hasOwn(change, field))
    this.#setForm({ ...form, draft: { ...form.draft, ...change }, problems: Object.fromEntries(problems) })
  }

  /** Fills in a name, unless something has been typed. */
  suggest(name: string): void {
    if (this.state.value.form.draft.name === '') this.edit({ name })
  }

  clear(): void {
    this.#setForm(blankForm())
  }

  /** Sends the form, which stays as it is until the response arrives. Returns the problems with it. */
  submit(apiKey: string): Problems {
    const { state } = this.state.value.form
    if (state.kind === 'sending' || this.#putAsideUnlessSafe(apiKey)) return {}
    const [draft, problems] = this.#checked()
    if (draft === undefined) return problems
    const lost = this.inForm()
    const attempt = lost ?? newAttempt(draft, apiKey)
    this.#setForm({ draft, problems: {}, state: { kind: 'sending', key: attempt.key } })
    void this.#send(attempt, apiKey, lost !== undefined)
    return {}
  }

  /** Sends the form and clears it immediately for the next animal. */
  submitAndStartAnother(apiKey: string): Problems {
    if (this.state.value.form.state.kind !== 'editing') return {}
    const [draft, problems] = this.#checked()
    if (draft === undefined) return problems
    kept.lastCategory.set(draft.category)
    this.#setForm(blankForm(draft.status))
    void this.#send(newAttempt(draft, apiKey), apiKey, false)
    return {}
  }

  retry(attempt: Attempt, apiKey: string): void {
    const isSafe = attempt.outcome.kind === 'unknown' && isSafeToRepeat(attempt, apiKey)
    if (isSafe) void this.#send(attempt, apiKey, true)
  }

  /** Puts a rejected animal back into the form, unless something else has been typed there. */
  takeUp(attempt: Attempt): void {
    const { form } = this.state.value
    if (form.draft.name !== '') return
    this.dismiss(attempt)
    this.#setForm({ ...blankForm(), draft: attempt.draft })
  }

  dismiss(attempt: Attempt): void {
    const attempts = this.state.value.attempts.filter(({ key }) => key !== attempt.key)
    this.#set({ attempts, ...(this.#isInForm(attempt) && { form: blankForm() }) })
  }

  /** The attempt shown in the form. */
  inForm(): Attempt | undefined {
    return this.state.value.attempts.find(attempt => this.#isInForm(attempt))
  }

  /** Keeps animals that may have been added, because the same person may sign in again. */
  signOut(): void {
    const attempts = this.state.value.attempts.filter(isOpen)
    kept.lastCategory.set(undefined)
    this.#set({ form: blankForm(), attempts, added: [], exchange: undefined })
  }

  /** With another API key, or after a day, a retry would add a second animal. The attempt is kept, but not in the form. */
  #putAsideUnlessSafe(apiKey: string): boolean {
    const lost = this.inForm()
    const isUnsafe = lost !== undefined && !isSafeToRepeat(lost, apiKey)
    if (isUnsafe) this.clear()
    return isUnsafe
  }

  /** The draft with its category as a number, or its problems, which the form then shows. */
  #checked(): [Draft | undefined, Problems] {
    const { form } = this.state.value
    const draft = withCategoryNumber(form.draft, this.#categoryNames())
    const problems = problemsIn(draft)
    if (Object.keys(problems).length === 0) return [draft, {}]
    this.#setForm({ draft: form.draft, problems, state: { kind: 'editing' } })
    return [undefined, problems]
  }

  async #send(attempt: Attempt, apiKey: string, isRepeat: boolean): Promise<void> {
    this.#settle(attempt, { kind: 'pending' })
    try {
      this.#onAdded(attempt, await this.#create(attempt, apiKey))
    } catch (error) {
      this.#onFailed(attempt, failureOf(error), isRepeat)
    }
  }

  #create({ draft, key }: Attempt, apiKey: string): Promise<Pet> {
    const pets = connect(apiKey, exchange => this.#set({ exchange }))
    return pets.create(petOf(draft), { idempotencyKey: key })
  }

  #onAdded(attempt: Attempt, pet: Pet): void {
    const isInForm = this.#isInForm(attempt)
    kept.lastCategory.set(String(pet.categoryId))
    this.#set({ added: [...this.state.value.added, pet] })
    if (isInForm) this.#setForm(blankForm())
    this.#settle(attempt, { kind: 'added', pet })
    this.#listener?.onAdded(pet, isInForm)
  }

  #onFailed(attempt: Attempt, failure: PetstoreError, isRepeat: boolean): void {
    const { form } = this.state.value
    const isInForm = this.#isInForm(attempt)
    // A rejected retry says nothing about earlier attempts.
    const isOver = isRefusal(failure) && !isRepeat
    this.#settle(attempt, isOver ? { kind: 'refused', failure } : { kind: 'unknown', failure })
    if (isInForm && isOver) {
      this.dismiss(attempt)
      this.#setForm({ ...form, state: { kind: 'editing', failure } })
    } else if (isInForm) this.#setForm({ ...form, state: { kind: 'lost', key: attempt.key } })
    if (failure instanceof AuthenticationError) this.#listener?.onRefused(failure.message)
  }

  #isInForm({ key }: Attempt): boolean {
    const { state } = this.state.value.form
    return 'key' in state && state.key === key
  }

  /** The outcome of an added animal replaces the previous one; unfinished attempts stay. */
  #settle(attempt: Attempt, outcome: Outcome): void {
    const others = this.state.value.attempts.filter(
      one => one.key !== attempt.key && !(outcome.kind === 'added' && one.outcome.kind === 'added'),
    )
    this.#set({ attempts: [...others, { ...attempt, outcome }] })
  }

  #setForm(form: Form): void {
    this.#set({ form })
  }

  #set(change: Partial<AdditionsState>): void {
    this.state.set({ ...this.state.value, ...change })
    const { form, attempts } = this.state.value
    const key = 'key' in form.state ? form.state.key : undefined
    const isBlank = key === undefined && isSameDraft(form.draft, blankForm(form.draft.status).draft)
    keepAdditions({ attempts, ...(!isBlank && { draft: form.draft, key }) })
  }
}

/** Starts with the category of the last added animal, because the next one often has the same. */
const blankForm = (status: PetStatus = PET_STATUSES[0]): Form => ({
  draft: { name: '', category: kept.lastCategory.get() ?? '', status },
  problems: {},
  state: { kind: 'editing' },
})
