import { useEffect, useState } from 'preact/hooks'
import { NotFoundError, type Pet } from '../../../client/src/index.ts'
import { facts } from '../page-facts.ts'
import { connect, failureOf } from '../request/connect.ts'

const PAUSE_MS = 300
const AFTER_REMOVAL = `The lookup by ID uses an operation that will be removed on ${facts.lookupEnds}. After that, the search goes through the list instead.`

interface ById {
  readonly pet: Pet | undefined
  readonly note: string | undefined
}

const NOTHING: ById = { pet: undefined, note: undefined }

/** One animal by its ID, asked for directly while the service has that operation. Without it the search finds it all the same. */
export function useById(apiKey: string, query: string, isAllRead: boolean): ById {
  const [found, setFound] = useState<ById>(NOTHING)
  useEffect(() => {
    setFound(NOTHING)
    if (isAllRead || !/^\d{1,19}$/.test(query)) return undefined
    const asking = new AbortController()
    const ask = async () => {
      try {
        const { pets } = connect(apiKey)
        const pet = await pets.get(BigInt(query), { signal: asking.signal })
        setFound({ pet, note: AFTER_REMOVAL })
      } catch (error) {
        if (asking.signal.aborted) return
        const isUnknown = error instanceof NotFoundError && failureOf(error).code === 'pet_not_found'
        setFound({
          pet: undefined,
          note: isUnknown ? `No animal has the ID ${query}. ${AFTER_REMOVAL}` : undefined,
        })
      }
    }
    const timer = setTimeout(() => void ask(), PAUSE_MS)
    return () => {
      clearTimeout(timer)
      asking.abort()
    }
  }, [apiKey, query, isAllRead])
  return found
}
