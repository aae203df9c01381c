import type { Create, Operation, Shown } from './history.ts'

/** An animal that the store had, according to all answers. */
export interface Animal extends Shown {
  /** From this time on every read must show it: a complete answer had shown it, or one with a higher identifier. */
  visibleFrom: number
}

/** Everything that a history shows about the animals, sorted by identifier. */
export interface Known {
  readonly animals: readonly Animal[]
  readonly byStatus: ReadonlyMap<string | undefined, readonly Animal[]>
  /** All attempts of one create, by name. */
  readonly tries: ReadonlyMap<string, readonly Create[]>
  /** When the create of an animal was first sent; infinite if never. */
  readonly sentAt: (name: string) => number
}

export function knownFrom(history: readonly Operation[]): Known {
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

export function shownBy(operation: Operation): readonly Shown[] {
  if (operation.kind === 'list') return operation.shown
  return operation.shown === undefined ? [] : [operation.shown]
}

/** The index of the first animal with a higher identifier. */
export function firstAbove(animals: readonly Shown[], id: number): number {
  let low = 0
  let high = animals.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((animals[middle] as Shown).id <= id) low = middle + 1
    else high = middle
  }
  return low
}
