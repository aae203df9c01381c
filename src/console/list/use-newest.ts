import { useCallback, useState } from 'preact/hooks'
import type { PetstoreError } from '../../../client/src/index.ts'
import { connect, failureOf } from '../request/connect.ts'
import type { Navigation } from '../view/use-view.ts'
import type { View } from '../view/view.ts'
import { findNewest } from './newest.ts'

export interface Newest {
  readonly jump: () => void
  readonly stop: () => void
  /** How many animals were read so far; undefined if not in progress. */
  readonly passed: number | undefined
  readonly failure: PetstoreError | undefined
}

/** The way to the end of the list, which can be long. */
export function useNewest(
  apiKey: string,
  view: View,
  nearEnd: () => string | undefined,
  go: Navigation['go'],
): Newest {
  const [under, setUnder] = useState<{ walk: AbortController; passed: number }>()
  const [failure, setFailure] = useState<PetstoreError>()
  const jump = useCallback(async () => {
    if (under) return
    const walk = new AbortController()
    setUnder({ walk, passed: 0 })
    setFailure(undefined)
    try {
      const { pets } = connect(apiKey)
      const from = view.status === undefined ? nearEnd() : undefined
      const onPassed = (passed: number) => setUnder({ walk, passed })
      const { cursor, trail } = await findNewest({ pets, view, from, signal: walk.signal, onPassed })
      go({ cursor }, { trail })
    } catch (error) {
      if (!walk.signal.aborted) setFailure(failureOf(error))
    } finally {
      setUnder(undefined)
    }
  }, [apiKey, view, nearEnd, go, under])
  return { jump, stop: () => under?.walk.abort(), passed: under?.passed, failure }
}
