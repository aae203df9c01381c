import type { Pets } from '../../../client/src/index.ts'
import { facts } from '../page-facts.ts'
import type { Trail } from '../view/use-view.ts'
import type { View } from '../view/view.ts'

export interface NewestPage {
  readonly cursor: string | undefined
  readonly trail: Trail
}

interface Walk {
  readonly pets: Pets
  readonly view: View
  /** A place known to be near the end. */
  readonly from: string | undefined
  readonly signal: AbortSignal
  readonly onPassed: (animals: number) => void
}

/** The last page of a view. The API leads forward only, so the way there is walked: in large steps, then in those of the view. */
export async function findNewest({ pets, view, from, signal, onPassed }: Walk): Promise<NewestPage> {
  const { status, limit } = view
  const options = { signal }
  let tail = from
  let passed = 0
  for (;;) {
    const page = await pets.list({ status, limit: facts.limitMax, cursor: tail }, options)
    if (page.nextCursor === undefined) break
    passed += page.items.length
    onPassed(passed)
    tail = page.nextCursor
  }
  const starts: (string | undefined)[] = [tail]
  for (;;) {
    const page = await pets.list({ status, limit, cursor: starts.at(-1) }, options)
    if (page.nextCursor === undefined) break
    starts.push(page.nextCursor)
  }
  return { cursor: starts.at(-1), trail: starts.slice(0, -1).map(start => start ?? null) }
}
