/** An animal as an answer showed it. All its fields derive from its name, which is unique to one create. */
export interface Shown {
  readonly id: number
  readonly name: string
  readonly status: string
}

/** When a request was sent and when its answer was complete, on one clock for all clients. */
interface Timed {
  readonly began: number
  readonly ended: number
}

/** One attempt to add an animal; all attempts for one animal share its name and idempotency key. */
export interface Create extends Timed {
  readonly kind: 'create'
  readonly name: string
  readonly key: string | undefined
  /** Undefined if unknown: no answer, or one that leaves it open. */
  readonly shown: Shown | undefined
  readonly replayed: boolean
}

/** A request for an animal by its identifier. */
export interface Get extends Timed {
  readonly kind: 'get'
  readonly id: number
  /** Undefined for a 404. */
  readonly shown: Shown | undefined
  readonly etag: string | undefined
}

/** One page, of a list or of a walk. */
export interface List extends Timed {
  readonly kind: 'list'
  /** The requested path; the same text always means the same page. */
  readonly target: string
  readonly after: number
  readonly limit: number
  readonly status: string | undefined
  readonly shown: readonly Shown[]
  readonly more: boolean
  readonly etag: string | undefined
}

/** A 304 is recorded as the answer that its ETag belongs to, because it claims that this answer is still valid. */
export type Operation = Create | Get | List

/** An animal that the store had, according to all answers. */
interface Animal extends Shown {
  /** From this time on every read must show it: a complete answer had shown it, or one with a higher identifier. */
  visibleFrom: number
}

/** Everything that a history shows about the animals, sorted by identifier. */
interface Known {
  readonly animals: readonly Animal[]
  readonly byStatus: ReadonlyMap<string | undefined, readonly Animal[]>
  /** All attempts of one create, by name. */
  readonly tries: ReadonlyMap<string, readonly Create[]>
  /** When the create of an animal was first sent; infinite if never. */
  readonly sentAt: (name: string) => number
}

function knownFrom(history: readonly Operation[]): Known {
  const animals = new Map<number, Animal>()
  for (const operation of history)
    for (const shown of shownBy(operation)) {
      const known = animals.get(shown.id)
      if (known === undefined) animals.set(shown.id, { ...shown, visibleFrom: operation.ended })
      else known.visibleFrom = Math.min(known.visibleFrom, operation.ended)
    }
  const sorted = [...animals.values()].toSorted((one, other) => one.id - other.id)
  // Animals appear in the order of their identifiers, so a client that sees one could see all before it.
  for (let place = sorted.length - 2; place >= 0; place--) {
    const animal = sorted[place] as Animal
    animal.visibleFrom = Math.min(animal.visibleFrom, (sorted[place + 1] as Animal).visibleFrom)
  }
  const byStatus = new Map<string | undefined, Animal[]>(
    Map.groupBy(sorted, ({ status }) => status as string | undefined),
  ).set(undefined, sorted)
  const tries = Map.groupBy(history.filter(({ kind }) => kind === 'create') as Create[], ({ name }) => name)
  const sent = new Map([...tries].map(([name, all]) => [name, Math.min(...all.map(({ began }) => began))]))
  return { animals: sorted, byStatus, tries, sentAt: name => sent.get(name) ?? Number.POSITIVE_INFINITY }
}

function shownBy(operation: Operation): readonly Shown[] {
  if (operation.kind === 'list') return operation.shown
  return operation.shown === undefined ? [] : [operation.shown]
}

/** The index of the first animal with a higher identifier. */
function firstAbove(animals: readonly Shown[], id: number): number {
  let low = 0
  let high = animals.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((animals[middle] as Shown).id <= id) low = middle + 1
    else high = middle
  }
  return low
}

export interface Violation {
  readonly rule: Rule
  readonly what: string
}

export type Rule =
  /** An identifier always shows one animal, and an animal has one identifier. */
  | 'identity'
  /** What is shown was sent before. */
  | 'invention'
  /** An animal that was asked for after another was shown has a higher identifier. */
  | 'order'
  /** What was shown once is shown to everyone who asks from then on. */
  | 'visibility'
  /** A page ascends, keeps to its filter and limit, and leaves out no animal between its first and its last. */
  | 'page'
  /** A page says that others follow if and only if others follow. */
  | 'follower'
  /** The tries of one creation make one animal, and all but one say that they are repeats. */
  | 'idempotency'
  /** An ETag stands for one answer. */
  | 'etag'

/**
 * Whether all operations can be ordered, each at one moment between its start and its end, so that every answer is what a
 * single store would give. Animals are only added, one after another, and never change. So instead of searching for that order,
 * it is enough to compare every answer with what each animal's first appearance implies.
 */
export function check(history: readonly Operation[]): Violation[] {
  const known = knownFrom(history)
  return [
    ...identity(history),
    ...invention(history, known),
    ...order(known),
    ...idempotency(known),
    ...etags(history),
    ...history.flatMap(operation => {
      if (operation.kind === 'get') return [...visibility(operation, known)]
      return operation.kind === 'list' ? [...page(operation, known)] : []
    }),
  ]
}

function* identity(history: readonly Operation[]): Generator<Violation> {
  const byId = new Map<number, string>()
  const byName = new Map<string, number>()
  for (const operation of history) {
    if (operation.kind === 'create' && operation.shown && operation.shown.name !== operation.name)
      yield { rule: 'identity', what: `${operation.name} was answered ${text(operation.shown)}` }
    if (operation.kind === 'get' && operation.shown && operation.shown.id !== operation.id)
      yield { rule: 'identity', what: `${operation.id} was answered ${text(operation.shown)}` }
    for (const shown of shownBy(operation)) {
      const { id, name } = shown
      const before = byId.get(id) ?? text(shown)
      if (before !== text(shown)) yield { rule: 'identity', what: `${before}, then ${text(shown)}` }
      if ((byName.get(name) ?? id) !== id)
        yield { rule: 'identity', what: `${name} is ${byName.get(name)} and ${id}` }
      byId.set(id, before)
      byName.set(name, id)
    }
  }
}

function* invention(history: readonly Operation[], { sentAt }: Known): Generator<Violation> {
  for (const operation of history)
    for (const shown of shownBy(operation))
      if (sentAt(shown.name) > operation.ended)
        yield { rule: 'invention', what: `${text(shown)} was shown before it was sent` }
}

/** A create that began after an animal was visible gets a higher identifier. */
function* order({ animals, sentAt }: Known): Generator<Violation> {
  // Tracks the highest identifier that was visible so far, in the order of time.
  const byVisibility = animals.toSorted((one, other) => one.visibleFrom - other.visibleFrom)
  const byBeginning = animals
    .map(animal => ({ animal, began: sentAt(animal.name) }))
    .toSorted((one, other) => one.began - other.began)
  let place = 0
  let highest: Animal | undefined
  for (const { animal, began } of byBeginning) {
    for (; (byVisibility[place]?.visibleFrom ?? Number.POSITIVE_INFINITY) < began; place++) {
      const visible = byVisibility[place] as Animal
      if (highest === undefined || visible.id > highest.id) highest = visible
    }
    if (highest !== undefined && highest.id > animal.id)
      yield { rule: 'order', what: `${text(animal)} was sent after ${text(highest)} was shown` }
  }
}

function* idempotency({ tries }: Known): Generator<Violation> {
  for (const [name, all] of tries) {
    const answered = all.filter(({ shown }) => shown !== undefined)
    if (new Set(answered.map(({ shown }) => shown?.id)).size > 1)
      yield { rule: 'idempotency', what: `${name} has several identifiers` }
    if (answered.filter(({ replayed }) => !replayed).length > 1)
      yield { rule: 'idempotency', what: `${name} was added more than once` }
    if (all.length === 1 && answered.some(({ replayed }) => replayed))
      yield { rule: 'idempotency', what: `${name} was sent once and called a repeat` }
  }
}

function* etags(history: readonly Operation[]): Generator<Violation> {
  const answers = new Map<string, string>()
  for (const operation of history) {
    if (operation.kind === 'create' || operation.etag === undefined) continue
    const target = operation.kind === 'list' ? operation.target : String(operation.id)
    const name = `${target} ${operation.etag}`
    const answer = shownBy(operation).map(text).join() + (operation.kind === 'list' ? operation.more : '')
    if ((answers.get(name) ?? answer) !== answer)
      yield { rule: 'etag', what: `${name}: ${answers.get(name)}, then ${answer}` }
    answers.set(name, answer)
  }
}

function* visibility({ id, shown, began }: Get, { animals }: Known): Generator<Violation> {
  const animal = animals[firstAbove(animals, id) - 1]
  if (shown === undefined && animal?.id === id && animal.visibleFrom < began)
    yield { rule: 'visibility', what: `${text(animal)} was not found` }
}

function* page(list: List, { byStatus, sentAt }: Known): Generator<Violation> {
  const { target, after, limit, status, shown, more, began, ended } = list
  const wrong = (rule: Rule, what: string): Violation => ({ rule, what: `${target}: ${what}` })
  const ids = shown.map(({ id }) => id)
  if (ids.some((id, place) => id <= (ids[place - 1] ?? after))) yield wrong('page', `${ids} after ${after}`)
  if (shown.length > limit) yield wrong('page', `${shown.length} animals`)
  if (status !== undefined && shown.some(pet => pet.status !== status)) yield wrong('page', 'another status')

  const all = byStatus.get(status) ?? []
  const first = firstAbove(all, after)
  const last = ids.at(-1) ?? after
  const end = firstAbove(all, last)
  if (end - first !== shown.length)
    yield wrong('page', `${shown.length} animals up to ${last} where there are ${end - first}`)
  const next = all[end]
  if (more && (shown.length < limit || next === undefined || sentAt(next.name) > ended))
    yield wrong('follower', 'nothing follows')
  if (!more && next !== undefined && next.visibleFrom < began)
    yield wrong('visibility', `${text(next)} is missing behind ${last}`)
}

const text = ({ id, name, status }: Shown): string => `${id} ${name} ${status}`
