/** Long work, which may be interrupted wherever it yields. */
export type Work<Result> = Generator<void, Result>

/** How many items are worked on between two yields, which takes a few milliseconds. */
export const STEP = 1000

/** Works until it is done or the time is over. Returns the result once there is one. */
export function advance<Result>(work: Work<Result>, ms: number): { readonly result: Result } | undefined {
  const end = performance.now() + ms
  do {
    const { done, value } = work.next()
    if (done) return { result: value }
  } while (performance.now() < end)
  return undefined
}

/** Sorts as `toSorted` does: short runs first, which are then merged. */
export function* sorted<Item>(
  items: readonly Item[],
  compare: (one: Item, other: Item) => number,
): Work<readonly Item[]> {
  function* merged(one: readonly Item[], other: readonly Item[]): Work<Item[]> {
    const all: Item[] = []
    let [at, to] = [0, 0]
    while (at < one.length && to < other.length) {
      const isFirst = compare(one[at] as Item, other[to] as Item) <= 0
      all.push((isFirst ? one[at++] : other[to++]) as Item)
      if (all.length % STEP === 0) yield
    }
    return all.concat(one.slice(at), other.slice(to))
  }
  let runs: Item[][] = []
  for (let at = 0; at < items.length; at += STEP) {
    runs.push(items.slice(at, at + STEP).sort(compare))
    yield
  }
  while (runs.length > 1) {
    const longer: Item[][] = []
    for (let at = 0; at < runs.length; at += 2) longer.push(yield* merged(runs[at] ?? [], runs[at + 1] ?? []))
    runs = longer
  }
  return runs[0] ?? []
}
