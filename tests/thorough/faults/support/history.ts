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

/** One attempt to add an animal; the attempts for one animal share its name and idempotency key. */
export interface Create extends Timed {
  readonly kind: 'create'
  readonly name: string
  /** Undefined if unknown: no answer, or one that leaves it open. */
  readonly shown: Shown | undefined
  readonly replayed: boolean
}

export interface Get extends Timed {
  readonly kind: 'get'
  readonly id: number
  /** Undefined for a 404. */
  readonly shown: Shown | undefined
}

/** One page, of a list or of a walk. */
export interface List extends Timed {
  readonly kind: 'list'
  readonly after: number
  readonly limit: number
  readonly status: string | undefined
  readonly shown: readonly Shown[]
  readonly more: boolean
}

/** A 304 is recorded as the answer that its ETag belongs to, because it claims that this answer is still valid. */
export type Operation = Create | Get | List

/** An animal that the store had, according to all answers. */
interface Animal extends Shown {
  /** From this time on every read must show it: a complete answer had shown it, or one with a higher identifier. */
  visibleFrom: number
}

interface Known {
  /** By identifier, and so by when they became visible. */
  readonly animals: readonly Animal[]
  /** When the create of an animal was first sent; infinite if never. */
  readonly sentAt: (name: string) => number
}

/**
 * What keeps the operations from being ordered, each at one moment between its start and its end, so that every answer is what a
 * single store would give. Animals are only added, one after another, and never change. So instead of searching for that order,
 * it is enough to compare every answer with what each animal's first appearance implies.
 */
export function check(history: readonly Operation[]): string[] {
  const creates = history.filter(operation => operation.kind === 'create')
  const tries = Map.groupBy(creates, ({ name }) => name)
  const sent = new Map([...tries].map(([name, all]) => [name, Math.min(...all.map(({ began }) => began))]))
  const known: Known = {
    animals: animalsOf(history),
    sentAt: name => sent.get(name) ?? Number.POSITIVE_INFINITY,
  }
  return [
    ...identity(history, known),
    ...order(known),
    ...[...tries].flatMap(([name, all]) => [...idempotency(name, all)]),
    ...history.flatMap(operation => {
      if (operation.kind === 'get') return [...found(operation, known)]
      return operation.kind === 'list' ? [...page(operation, known)] : []
    }),
  ]
}

function animalsOf(history: readonly Operation[]): Animal[] {
  const animals = new Map<number, Animal>()
  for (const operation of history)
    for (const shown of shownBy(operation)) {
      const visibleFrom = Math.min(operation.ended, animals.get(shown.id)?.visibleFrom ?? operation.ended)
      animals.set(shown.id, { ...shown, visibleFrom })
    }
  const sorted = [...animals.values()].toSorted((one, other) => one.id - other.id)
  // Animals appear in the order of their identifiers, so a client that sees one could see all before it.
  let next = Number.POSITIVE_INFINITY
  for (const animal of sorted.toReversed()) {
    animal.visibleFrom = Math.min(animal.visibleFrom, next)
    next = animal.visibleFrom
  }
  return sorted
}

const shownBy = ({ shown }: Operation): readonly Shown[] => (shown === undefined ? [] : [shown].flat())

/** An identifier always shows one animal, an animal has one identifier, and it was sent before it is shown. */
function* identity(history: readonly Operation[], { sentAt }: Known): Generator<string> {
  const byId = new Map<number, string>()
  const byName = new Map<string, number>()
  for (const operation of history)
    for (const shown of shownBy(operation)) {
      const { id, name } = shown
      if (operation.kind === 'create' && operation.name !== name)
        yield `identity: for ${operation.name} ${name}`
      if (operation.kind === 'get' && operation.id !== id) yield `identity: for ${operation.id} ${id}`
      if ((byId.get(id) ?? text(shown)) !== text(shown))
        yield `identity: ${byId.get(id)}, then ${text(shown)}`
      if ((byName.get(name) ?? id) !== id) yield `identity: ${name} is ${byName.get(name)} and ${id}`
      if (sentAt(name) > operation.ended) yield `identity: ${text(shown)} was shown before it was sent`
      byId.set(id, text(shown))
      byName.set(name, id)
    }
}

/** An animal that was sent after another was shown has a higher identifier. */
function* order({ animals, sentAt }: Known): Generator<string> {
  for (const animal of animals) {
    const shown = animals.findLast(({ visibleFrom }) => visibleFrom < sentAt(animal.name))
    if (shown !== undefined && shown.id > animal.id)
      yield `order: ${text(animal)} was sent after ${text(shown)} was shown`
  }
}

/** All tries of one creation but one say that they are repeats. */
function* idempotency(name: string, tries: readonly Create[]): Generator<string> {
  const answered = tries.filter(({ shown }) => shown !== undefined)
  if (answered.filter(({ replayed }) => !replayed).length > 1) yield `idempotency: ${name} was added twice`
  if (tries.length === 1 && answered[0]?.replayed) yield `idempotency: ${name} was sent once, as a repeat`
}

/** What was shown once is shown to everyone who asks from then on. */
function* found({ id, shown, began }: Get, { animals }: Known): Generator<string> {
  const missing = animals.find(animal => animal.id === id && animal.visibleFrom < began)
  if (shown === undefined && missing !== undefined) yield `visibility: ${text(missing)} was not found`
}

/** A page ascends, keeps to its filter and limit, leaves out nothing, and says that others follow if others do. */
function* page(list: List, { animals, sentAt }: Known): Generator<string> {
  const { after, limit, status, shown, more, began, ended } = list
  const all = animals.filter(animal => animal.id > after && (status ?? animal.status) === animal.status)
  const expected = all.slice(0, shown.length).map(text).join()
  if (shown.length > limit) yield `page: ${shown.length} animals, of ${limit}`
  if (shown.map(text).join() !== expected) yield `page: ${shown.map(text)} where there are ${expected}`
  const next = all[shown.length]
  if (more && (shown.length < limit || next === undefined || sentAt(next.name) > ended))
    yield `follower: nothing follows ${shown.length} animals after ${after}`
  if (!more && next !== undefined && next.visibleFrom < began)
    yield `visibility: ${text(next)} is missing after ${after}`
}

const text = ({ id, name, status }: Shown): string => `${id} ${name} ${status}`
