import type { Pet, PetstoreError } from '../../../client/src/index.ts'
import { AuthenticationError } from '../../../client/src/index.ts'
import { facts } from '../page-facts.ts'
import { Observed } from '../parts/observed.ts'
import { connect, failureOf } from '../request/connect.ts'
import type { RecordedExchange } from '../request/exchange.ts'
import { type Attempt, isRefusal, isSafeToRepeat, latestOf, newAttempt, type Outcome } from './attempt.ts'
import { animalOf, type Draft, isSameDraft, problemsIn } from './draft.ts'
import { type Problems, problemsByField } from './field-problems.ts'
import { keepAdditions, keptAdditions } from './kept-additions.ts'
import { lastCategory, rememberCategory } from './last-category.ts'

export interface Form {
  readonly draft: Draft
  /** The attempt that the form is about, once it was sent. */
  readonly key: string | undefined
  readonly problems: Problems
  readonly failure: PetstoreError | undefined
  /** What was sent before the form was changed turned out to have been added. */
  readonly isFirstAdded: boolean
  /** The form stays open for the next animal. */
  readonly isAnotherWanted: boolean
}

export interface AdditionsState {
  readonly form: Form
  readonly attempts: readonly Attempt[]
  readonly exchange: RecordedExchange | undefined
}

export interface AdditionsListener {
  readonly onAdded: (pet: Pet, isFormDone: boolean) => void
  readonly onRefused: (reason: string) => void
}

const FIELDS = ['name', 'categoryId', 'status']

/**
 * Everything on its way into the store, and the form. It lives outside of the form, so that an answer finds its place whether
 * the form was cancelled, reopened or reloaded in between.
 */
export class Additions {
  readonly state: Observed<AdditionsState>
  #listener: AdditionsListener | undefined

  constructor() {
    const { draft, key, attempts } = keptAdditions()
    const form = { ...blankForm(), ...(draft && { draft, key }) }
    this.state = new Observed<AdditionsState>({ form, attempts, exchange: undefined })
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
    if (form.key !== undefined || form.draft.name !== '') return
    const lost = attempts.find(one => one.outcome.kind === 'unknown' && isSafeToRepeat(one, apiKey))
    if (lost) this.#setForm({ ...blankForm(), draft: latestOf(lost), key: lost.key })
  }

  /** A pending addition continues automatically; anything else stays in the form as a draft. */
  leave(): void {
    const { form } = this.state.value
    const isPending = this.#attached()?.outcome.kind === 'pending'
    this.#setForm(isPending ? blankForm() : { ...blankForm(), draft: form.draft, key: form.key })
  }

  edit(change: Partial<Draft>): void {
    const { form } = this.state.value
    const { name, categoryId, ...rest } = form.problems
    const problems = {
      ...rest,
      ...(name && change.name === undefined && { name }),
      ...(categoryId && change.category === undefined && { categoryId }),
    }
    this.#setForm({ ...form, draft: { ...form.draft, ...change }, problems })
  }

  clear(): void {
    this.#setForm(blankForm())
  }

  submit(apiKey: string, isAnotherWanted = false): void {
    const { form } = this.state.value
    const attached = this.#attached()
    if (attached?.outcome.kind === 'pending') return
    const problems = problemsIn(form.draft, facts)
    if (Object.keys(problems).length > 0) {
      this.#setForm({ ...form, problems, failure: undefined })
      return
    }
    const attempt = attached ? withDraft(attached, form.draft) : newAttempt(form.draft, apiKey)
    this.#setForm({ ...blankForm(), draft: form.draft, key: attempt.key, isAnotherWanted })
    void this.#send(attempt, apiKey, attached !== undefined)
  }

  retry(attempt: Attempt, apiKey: string): void {
    if (attempt.outcome.kind === 'unknown') void this.#send(attempt, apiKey, true)
  }

  /** Back into the form with what was refused, unless something else is typed there. */
  takeUp(attempt: Attempt): void {
    this.dismiss(attempt)
    if (this.state.value.form.draft.name === '') this.#setForm({ ...blankForm(), draft: latestOf(attempt) })
  }

  dismiss({ key }: Attempt): void {
    const { form, attempts } = this.state.value
    const isInForm = form.key === key
    this.#set({ attempts: attempts.filter(one => one.key !== key), ...(isInForm && { form: blankForm() }) })
  }

  /** What may have been added is kept: the same person may sign in again. */
  signOut(): void {
    const { attempts } = this.state.value
    const open = attempts.filter(({ outcome: { kind } }) => kind === 'pending' || kind === 'unknown')
    this.#set({ form: blankForm(), attempts: open, exchange: undefined })
  }

  async #send(attempt: Attempt, apiKey: string, isRepeat: boolean): Promise<void> {
    this.#settle(attempt, { kind: 'pending' })
    try {
      this.#added(attempt, await this.#create(latestOf(attempt), attempt.key, apiKey))
    } catch (error) {
      await this.#failed(attempt, failureOf(error), apiKey, isRepeat)
    }
  }

  #create(draft: Draft, idempotencyKey: string, apiKey: string): Promise<Pet> {
    const { pets } = connect(apiKey, exchange => this.#set({ exchange }))
    return pets.create(animalOf(draft), { idempotencyKey })
  }

  #added(attempt: Attempt, pet: Pet): void {
    const { form } = this.state.value
    const isInForm = form.key === attempt.key
    rememberCategory(String(pet.categoryId))
    if (isInForm) this.#setForm(blankForm())
    this.#settle(attempt, { kind: 'added', pet })
    this.#listener?.onAdded(pet, isInForm && !form.isAnotherWanted)
  }

  async #failed(attempt: Attempt, failure: PetstoreError, apiKey: string, isRepeat: boolean): Promise<void> {
    const { form } = this.state.value
    const isInForm = form.key === attempt.key
    const [, ...later] = attempt.drafts
    if (failure.code === 'idempotency_key_reused' && later.length > 0) {
      if (isInForm) this.#setForm({ ...form, key: undefined, isFirstAdded: true })
      return this.#findFirst(attempt, apiKey)
    }
    // A repeat that is refused says nothing of what was sent before it.
    const isOver = isRefusal(failure) && !isRepeat
    const isAboutFields = failure.code === 'invalid_body'
    this.#settle(attempt, isOver ? { kind: 'refused', failure } : { kind: 'unknown', failure })
    if (isInForm)
      this.#setForm({
        ...form,
        key: isOver ? undefined : attempt.key,
        problems: isAboutFields ? problemsByField(failure.message, FIELDS) : {},
        failure: isAboutFields ? undefined : failure,
      })
    if (isInForm && isOver) this.dismiss(attempt)
    if (failure instanceof AuthenticationError) this.#listener?.onRefused(failure.message)
  }

  /** One of the drafts before the latest was added. Sent again, it is answered with the animal that it became. */
  async #findFirst(attempt: Attempt, apiKey: string): Promise<void> {
    const [first, ...later] = attempt.drafts
    const earlier: Attempt['drafts'] = [first, ...later.slice(0, -1)]
    for (const draft of earlier)
      try {
        return this.#added({ ...attempt, drafts: [draft] }, await this.#create(draft, attempt.key, apiKey))
      } catch (error) {
        const failure = failureOf(error)
        if (failure.code !== 'idempotency_key_reused')
          return this.#settle({ ...attempt, drafts: earlier }, { kind: 'unknown', failure })
      }
  }

  #attached(): Attempt | undefined {
    const { form, attempts } = this.state.value
    return attempts.find(({ key }) => key === form.key)
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
    const isBlank = form.key === undefined && isSameDraft(form.draft, blankForm().draft)
    keepAdditions({ attempts, ...(!isBlank && { draft: form.draft, key: form.key }) })
  }
}

const withDraft = (attempt: Attempt, draft: Draft): Attempt => {
  const [first, ...later] = attempt.drafts.filter(one => !isSameDraft(one, draft))
  return { ...attempt, drafts: first ? [first, ...later, draft] : [draft] }
}

const blankForm = (): Form => ({
  draft: { name: '', category: lastCategory(), status: facts.statuses[0] ?? 'available' },
  key: undefined,
  problems: {},
  failure: undefined,
  isFirstAdded: false,
  isAnotherWanted: false,
})
