import { useCallback, useEffect, useState } from 'preact/hooks'
import type { PetPage, PetstoreError } from '../../../client/src/index.ts'
import { connect, failureOf } from '../request/connect.ts'
import type { RecordedExchange } from '../request/exchange.ts'
import type { View } from '../view/view.ts'

const SLOW_AFTER_MS = 1500

export interface Animals {
  /** The page last seen. It stays until the next one is there, so that nothing flickers. */
  readonly page: PetPage | undefined
  /** Whether the page is of another view: the one before, while this one is being read or could not be. */
  readonly isOfAnotherView: boolean
  readonly failure: PetstoreError | undefined
  readonly isLoading: boolean
  readonly isSlow: boolean
  readonly exchange: RecordedExchange | undefined
  readonly reload: () => void
  readonly stop: () => void
}

/** The animals of a view: read when it changes, and again when asked to. */
export function useAnimals(apiKey: string, { status, limit, cursor }: View): Animals {
  const [seen, setSeen] = useState<{ page: PetPage; address: string }>()
  const [failure, setFailure] = useState<PetstoreError>()
  const [exchange, setExchange] = useState<RecordedExchange>()
  const [reading, setReading] = useState<AbortController>()
  const [isSlow, setSlow] = useState(false)
  const [round, setRound] = useState(0)
  const address = JSON.stringify([status, limit, cursor])

  useEffect(() => {
    const controller = new AbortController()
    let isCurrent = true
    const slow = setTimeout(() => setSlow(true), SLOW_AFTER_MS)
    const finish = (found: PetPage | undefined, failed: PetstoreError | undefined) => {
      if (!isCurrent) return
      clearTimeout(slow)
      if (found) setSeen({ page: found, address })
      setFailure(failed)
      setSlow(false)
      setReading(undefined)
    }
    setReading(controller)
    connect(apiKey, made => isCurrent && setExchange(made))
      .pets.list({ status, limit, cursor }, { signal: controller.signal })
      .then(
        found => finish(found, undefined),
        error => finish(undefined, failureOf(error)),
      )
    return () => {
      isCurrent = false
      clearTimeout(slow)
      setSlow(false)
      controller.abort()
    }
  }, [apiKey, status, limit, cursor, round])

  const reload = useCallback(() => setRound(count => count + 1), [])
  const stop = useCallback(() => reading?.abort(), [reading])
  return {
    page: seen?.page,
    isOfAnotherView: seen?.address !== address,
    failure,
    isLoading: reading !== undefined,
    isSlow,
    exchange,
    reload,
    stop,
  }
}
