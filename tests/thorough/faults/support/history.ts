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
  /** The animals in the answer: none for a 404, or if a create has no answer or one that leaves it open. */
  readonly shown: readonly Shown[]
}

/** One attempt to add an animal; the attempts for one animal share its name and idempotency key. */
export interface Create extends Timed {
  readonly name: string
  readonly replayed: boolean
}

/** A page, or a single animal, which is a page of one. */
export interface Read extends Timed {
  readonly target: string
  readonly matches: (animal: Shown) => boolean
  readonly limit: number
  /** Whether it says that others follow. */
  readonly more: boolean
}

/** A 304 is recorded as the answer that its ETag belongs to, because it claims that this answer is still valid. */
export type Operation = Create | Read

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
  const tries = Map.groupBy(history.filter(isCreate), ({ name }) => name)
  const sent = new Map([...tries].map(([name, all]) => [name, Math.min(...all.map(({ began }) => began))]))
  const known: Known = {
    animals: animalsOf(history),
    sentAt: name => sent.get(name) ?? Number.POSITIVE_INFINITY,
  }
  return [
    ...identity(history, known),
    ...order(known),
    ...[...tries].flatMap(([name, all]) => [...idempotency(name, all)]),
    ...history.flatMap(operation => (isCreate(operation) ? [] : [...page(operation, known)])),
  ]
}

const isCreate = (operation: Operation): operation is Create => 'replayed' in operation

function animalsOf(history: readonly Operation[]): Animal[] {
  const animals = new Map<number, Animal>()
  for (const { shown, ended } of history)
    for (const one of shown) {
      const visibleFrom = Math.min(ended, animals.get(one.id)?.visibleFrom ?? ended)
      animals.set(one.id, { ...one, visibleFrom })
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

/** An identifier always shows one animal, an animal has one identifier, and it was sent before it is shown. */
function* identity(history: readonly Operation[], { sentAt }: Known): Generator<string> {
  const byId = new Map<number, string>()
  const byName = new Map<string, number>()
  for (const operation of history)
    for (const shown of operation.shown) {
      const { id, name } = shown
      if (isCreate(operation) && operation.name !== name) yield `identity: for ${operation.name} ${name}`
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
  const answered = tries.filter(({ shown }) => shown.length > 0)
  if (answered.filter(({ replayed }) => !replayed).length > 1) yield `idempotency: ${name} was added twice`
  if (tries.length === 1 && answered[0]?.replayed) yield `idempotency: ${name} was sent once, as a repeat`
}

/** A page ascends, keeps to its filter and limit, leaves out nothing, and says that others follow if others do. */
function* page(read: Read, { animals, sentAt }: Known): Generator<string> {
  const { target, matches, limit, shown, more, began, ended } = read
  const all = animals.filter(matches)
  const expected = all.slice(0, shown.length).map(text).join()
  if (shown.length > limit) yield `page: ${target} has ${shown.length} animals`
  if (shown.map(text).join() !== expected) yield `page: ${target} has ${shown.map(text)}, not ${expected}`
  const next = all[shown.length]
  if (more && (shown.length < limit || next === undefined || sentAt(next.name) > ended))
    yield `follower: nothing follows ${target}`
  if (!more && next !== undefined && next.visibleFrom < began)
    yield `visibility: ${text(next)} is missing in ${target}`
}

const text = ({ id, name, status }: Shown): string => `${id} ${name} ${status}`
