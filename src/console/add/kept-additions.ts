import type { Attempt } from './attempt.ts'
import type { Draft } from './draft.ts'

const NAME = 'petstore-additions'

/** What a reload of this tab must not lose: what is typed, and what may have been added. */
export interface KeptAdditions {
  readonly draft?: Draft
  readonly key?: string | undefined
  readonly attempts: readonly Attempt[]
}

export function keptAdditions(): KeptAdditions {
  try {
    const kept = JSON.parse(sessionStorage.getItem(NAME) ?? '') as KeptAdditions
    // Whatever was on its way when the page went has an unknown outcome now.
    const attempts = kept.attempts.map(attempt => ({
      ...attempt,
      outcome: { kind: 'unknown', failure: undefined } as const,
    }))
    return { ...kept, attempts }
  } catch {
    return { attempts: [] }
  }
}

export function keepAdditions({ draft, key, attempts }: KeptAdditions): void {
  const open = attempts.filter(({ outcome: { kind } }) => kind === 'pending' || kind === 'unknown')
  const kept = { draft, key, attempts: open.map(attempt => ({ ...attempt, outcome: undefined })) }
  if (draft === undefined && open.length === 0) sessionStorage.removeItem(NAME)
  else sessionStorage.setItem(NAME, JSON.stringify(kept))
}
