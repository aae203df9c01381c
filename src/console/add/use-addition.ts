import { useRef, useState } from 'preact/hooks'
import {
  AuthenticationError,
  type NewPet,
  type Pet,
  type PetStatus,
  type PetstoreError,
} from '../../../client/src/index.ts'
import { facts } from '../page-facts.ts'
import { connect, failureOf } from '../request/connect.ts'
import type { Exchange } from '../request/exchange.ts'
import { type Problems, problemsOf } from './field-problems.ts'

const FIELDS = ['name', 'categoryId', 'status']
const SLOW_AFTER_MS = 1500

interface Outcomes {
  readonly onAdded: (pet: Pet) => void
  readonly onRefused: (reason: string) => void
}

/**
 * Sends a form. All that one form sends carries one idempotency key, so that a double click or a retry after a lost answer adds
 * one animal. Which values are valid is the service's to say; here only what could not be sent at all is held back.
 */
export function useAddition(apiKey: string, { onAdded, onRefused }: Outcomes) {
  const [problems, setProblems] = useState<Problems>({})
  const [failure, setFailure] = useState<PetstoreError>()
  const [exchange, setExchange] = useState<Exchange>()
  const [isSending, setSending] = useState(false)
  const [isSlow, setSlow] = useState(false)
  const idempotencyKey = useRef(newKey())
  const lastSent = useRef<NewPet | undefined>(undefined)
  // State is seen only by the next render, which is too late for the second click of two.
  const isUnderWay = useRef(false)

  const send = async (form: FormData): Promise<void> => {
    const category = String(form.get('categoryId')).trim()
    if (!/^-?\d+$/.test(category)) return setProblems({ categoryId: categoryProblem(category) })
    await sendAnimal({
      name: String(form.get('name')),
      categoryId: BigInt(category),
      status: form.get('status') as PetStatus,
    })
  }

  const sendAnimal = async (animal: NewPet): Promise<void> => {
    if (isUnderWay.current) return
    isUnderWay.current = true
    lastSent.current = animal
    setSending(true)
    setProblems({})
    const slow = setTimeout(() => setSlow(true), SLOW_AFTER_MS)
    try {
      const { pets } = connect(apiKey, setExchange)
      onAdded(await pets.create(animal, { idempotencyKey: idempotencyKey.current }))
    } catch (error) {
      const failed = failureOf(error)
      if (failed instanceof AuthenticationError) return onRefused(failed.message)
      const isAboutFields = failed.code === 'invalid_body'
      setProblems(isAboutFields ? problemsOf(failed.message, FIELDS) : {})
      setFailure(isAboutFields ? undefined : failed)
    } finally {
      clearTimeout(slow)
      isUnderWay.current = false
      setSlow(false)
      setSending(false)
    }
  }

  const sendAsAnother = () => {
    idempotencyKey.current = newKey()
    if (lastSent.current) void sendAnimal(lastSent.current)
  }

  return { problems, failure, exchange, isSending, isSlow, send, sendAsAnother }
}

const categoryProblem = (text: string): string =>
  text === '' ? 'is required' : `must be an integer from ${facts.int64Min} to ${facts.int64Max}`

const newKey = (): string => crypto.getRandomValues(new Uint32Array(4)).join('-')
