import { setImmediate as nextTurn } from 'node:timers/promises'
import { StorageUnavailable } from './errors.ts'

/** How long later callers wait for a query in progress, which may hang. */
const MAX_WAIT_MS = 100
const MAX_WAITING_KEYS = 5000

/** Runs one query for all waiting callers. One in progress may be older than a call, which therefore joins the next one. */
export function batchedQuery<T>(query: () => Promise<T>): () => Promise<T> {
  let next: Promise<T> | undefined
  let inProgress: Promise<unknown> | undefined

  async function runNext(): Promise<T> {
    // If no query is in progress, one turn of the event loop lets callers that arrived together join.
    await (inProgress === undefined ? nextTurn() : Promise.race([inProgress, Bun.sleep(MAX_WAIT_MS)]))
    next = undefined
    const result = query()
    const settled = result
      .catch(() => {})
      .then(() => {
        if (inProgress === settled) inProgress = undefined
      })
    inProgress = settled
    return result
  }

  return () => {
    next ??= runNext()
    return next
  }
}

/** Looks up the keys of all waiting callers with one query. */
export function batchedLookup<Found>(
  lookUp: (keys: readonly string[]) => Promise<ReadonlyMap<string, Found>>,
): (key: string) => Promise<Found | undefined> {
  const waiting: string[] = []
  const next = batchedQuery(() => lookUp(waiting.splice(0)))
  return async key => {
    if (waiting.length >= MAX_WAITING_KEYS)
      throw new StorageUnavailable('Too many requests wait for a lookup', 'overloaded')
    waiting.push(key)
    return (await next()).get(key)
  }
}
