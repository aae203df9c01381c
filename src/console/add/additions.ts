import { AuthenticationError, type Pet, type PetstoreError } from '../../../client/src/index.ts'
import { facts } from '../page.ts'
import { Observed } from '../parts/hooks.ts'
import { connect, failureOf, type RecordedExchange } from '../request/connect.ts'
import type { BrowserSettings } from '../session/settings.ts'
import { kept } from '../storage.ts'
import {
  type Attempt,
  isOpen,
  isRefusal,
  isSafeToRepeat,
  keepAdditions,
  keptAdditions,
  latestOf,
  newAttempt,
  type Outcome,
  withDraft,
} from './attempt.ts'
import { type Draft, isSameDraft, type Problems, petOf, problemsIn, withCategoryNumber } from './draft.ts'

/** What the form is doing. */
export type FormState =
  | { readonly kind: 'editing'; readonly failure?: PetstoreError | undefined }
  | { readonly kind: 'sending'; readonly key: string }
  /** The response was lost. Sent again, changed or not, it counts as the same attempt. */
  | { readonly kind: 'lost'; readonly key: string }
  /** An earlier version turned out to have been added; what the form says now was not. */
  | { readonly kind: 'superseded' }

export interface Form {
  readonly draft: Draft
  readonly problems: Problems
  readonly state: FormState
}

export interface AdditionsState {
  readonly form: Form
  readonly attempts: readonly Attempt[]
  /** Since signing in. */
  readonly added: readonly Pet[]
  readonly exchange: RecordedExchange | undefined
}

export interface AdditionsListener {
  readonly onAdded: (pet: Pet, isFormDone: boolean) => void
  readonly onRefused: (reason: string) => void
}

/**
 * Everything on its way into the store, and the form. It lives outside of the form, so that a response finds its place whether
 * the form was cancelled, reopened or reloaded in between.
 */
export class Additions {
  readonly state: Observed<AdditionsState>
  readonly #settings: BrowserSettings
  #listener: AdditionsListener | undefined

  constructor(settings: BrowserSettings) {
    this.#settings = settings
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

  /** An empty form takes up what was lost on the way, rather than let it be typed and added a second time. */
  open(apiKey: string): void {
    const { form, attempts } = this.state.value
    if (form.state.kind !== 'editing' || form.draft.name !== '') return
    const lost = attempts.find(one => one.outcome.kind === 'unknown' && isSafeToRepeat(one, apiKey))
    if (lost) this.#setForm({ draft: latestOf(lost), problems: {}, state: { kind: 'lost', key: lost.key } })
  }

  /** A pending addition continues by itself; anything else stays in the form as a draft. */
  leave(): void {
    const { draft, state } = this.state.value.form
    if (state.kind === 'sending') this.#setForm(blankForm())
    else this.#setForm({ draft, problems: {}, state: state.kind === 'lost' ? state : { kind: 'editing' } })
  }

  edit(change: Partial<Draft>): void {
    const { form } = this.state.value
    const problems = Object.entries(form.problems).filter(([field]) => !Object.hasOwn(change, field))
    this.#setForm({
      ...form,
      draft: { ...form.draft, ...change },
      problems: Object.fromEntries(problems),
    })
  }

  /** A name to begin with, unless something is typed already. */
  suggest(name: string): void {
    if (this.state.value.form.draft.name === '') this.edit({ name })
  }

  clear(): void {
    this.#setForm(blankForm())
  }

  /** Sends the form, which stays as it is until the response comes. Returns what is wrong with it. */
  submit(apiKey: string): Problems {
    const { state } = this.state.value.form
    if (state.kind === 'sending') return {}
    const [draft, problems] = this.#checked()
    if (draft === undefined) return problems
    const lost = this.#attached()
    const attempt = lost ? withDraft(lost, draft) : newAttempt(draft, apiKey)
    this.#setForm({ draft, problems: {}, state: { kind: 'sending', key: attempt.key } })
    void this.#send(attempt, apiKey, lost !== undefined)
    return {}
  }

  /** Sends the form and blanks it at once: whatever is typed from now on is the next animal. */
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
    if (attempt.outcome.kind === 'unknown') void this.#send(attempt, apiKey, true)
  }

  /** Back into the form with what was refused, unless something else is typed there. */
  takeUp(attempt: Attempt): void {
    const { form } = this.state.value
    if (form.draft.name !== '') return
    this.dismiss(attempt)
    this.#setForm({ ...blankForm(), draft: latestOf(attempt) })
  }

  dismiss({ key }: Attempt): void {
    const { form, attempts } = this.state.value
    const isInForm = 'key' in form.state && form.state.key === key
    this.#set({ attempts: attempts.filter(one => one.key !== key), ...(isInForm && { form: blankForm() }) })
  }

  /** What may have been added is kept: the same person may sign in again. */
  signOut(): void {
    const attempts = this.state.value.attempts.filter(isOpen)
    this.#set({ form: blankForm(), attempts, added: [], exchange: undefined })
  }

  /** The draft with its category as a number, or all that is wrong, which the form then shows. */
  #checked(): [Draft | undefined, Problems] {
    const { form } = this.state.value
    const draft = withCategoryNumber(form.draft, this.#settings.state.value.categoryNames)
    const problems = problemsIn(draft)
    if (Object.keys(problems).length === 0) return [draft, {}]
    this.#setForm({ ...form, problems, ...(form.state.kind === 'editing' && { state: { kind: 'editing' } }) })
    return [undefined, problems]
  }

  async #send(attempt: Attempt, apiKey: string, isRepeat: boolean): Promise<void> {
    this.#settle(attempt, { kind: 'pending' })
    try {
      this.#onAdded(attempt, await this.#create(latestOf(attempt), attempt.key, apiKey))
    } catch (error) {
      await this.#onFailed(attempt, failureOf(error), apiKey, isRepeat)
    }
  }

  #create(draft: Draft, idempotencyKey: string, apiKey: string): Promise<Pet> {
    return connect(apiKey, exchange => this.#set({ exchange })).create(petOf(draft), { idempotencyKey })
  }

  #onAdded(attempt: Attempt, pet: Pet): void {
    const isInForm = this.#isInForm(attempt)
    kept.lastCategory.set(String(pet.categoryId))
    this.#set({ added: [...this.state.value.added, pet] })
    if (isInForm) this.#setForm(blankForm())
    this.#settle(attempt, { kind: 'added', pet })
    this.#listener?.onAdded(pet, isInForm)
  }

  async #onFailed(attempt: Attempt, failure: PetstoreError, apiKey: string, isRepeat: boolean) {
    const { form } = this.state.value
    const isInForm = this.#isInForm(attempt)
    if (failure.code === 'idempotency_key_reused' && attempt.drafts.length > 1) {
      if (isInForm) this.#setForm({ ...form, state: { kind: 'superseded' } })
      return this.#findEarlier(attempt, apiKey)
    }
    // A repeat that is refused says nothing of what was sent before it.
    const isOver = isRefusal(failure) && !isRepeat
    this.#settle(attempt, isOver ? { kind: 'refused', failure } : { kind: 'unknown', failure })
    if (isInForm && isOver) {
      this.dismiss(attempt)
      this.#setForm({ ...form, state: { kind: 'editing', failure } })
    } else if (isInForm) this.#setForm({ ...form, state: { kind: 'lost', key: attempt.key } })
    if (failure instanceof AuthenticationError) this.#listener?.onRefused(failure.message)
  }

  /** One of the drafts before the latest was added. Sent again, it is answered with the animal that it became. */
  async #findEarlier(attempt: Attempt, apiKey: string): Promise<void> {
    const [first, ...later] = attempt.drafts
    const earlier: Attempt['drafts'] = [first, ...later.slice(0, -1)]
    for (const draft of earlier)
      try {
        return this.#onAdded({ ...attempt, drafts: [draft] }, await this.#create(draft, attempt.key, apiKey))
      } catch (error) {
        const failure = failureOf(error)
        if (failure.code !== 'idempotency_key_reused')
          return this.#settle({ ...attempt, drafts: earlier }, { kind: 'unknown', failure })
      }
  }

  #isInForm({ key }: Attempt): boolean {
    const { state } = this.state.value.form
    return 'key' in state && state.key === key
  }

  #attached(): Attempt | undefined {
    return this.state.value.attempts.find(attempt => this.#isInForm(attempt))
  }

  /** News of an addition takes the place of older news; what is open stays. */
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

/** The category of the animal added last: the next one is often of the same. */
const blankForm = (status = facts.statuses[0] ?? 'available'): Form => ({
  draft: { name: '', category: kept.lastCategory.get() ?? '', status },
  problems: {},
  state: { kind: 'editing' },
})
