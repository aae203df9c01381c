import { useEffect, useRef, useState } from 'preact/hooks'
import { AuthenticationError, type PetstoreError } from '../../../client/src/index.ts'
import { facts } from '../page-facts.ts'
import { FailureNote } from '../parts/failure.tsx'
import { Field } from '../parts/field.tsx'
import { connect, failureOf } from '../request/connect.ts'
import type { Exchange } from '../request/exchange.ts'
import { RequestDetails } from '../request/request-details.tsx'

interface Props {
  /** Why the key that was used so far is no longer accepted. */
  readonly refusal: string | undefined
  readonly onSignedIn: (apiKey: string) => void
}

/** A key is tried on the smallest request there is, and kept only when it was accepted. */
export function SignIn({ refusal, onSignedIn }: Props) {
  const [problem, setProblem] = useState(refusal)
  const [failure, setFailure] = useState<PetstoreError>()
  const [exchange, setExchange] = useState<Exchange>()
  const [isTrying, setTrying] = useState(false)
  const [isShown, setShown] = useState(false)
  const input = useRef<HTMLInputElement>(null)
  useEffect(() => input.current?.focus(), [])

  const submit = async (event: Event) => {
    event.preventDefault()
    const key = input.current?.value.trim() ?? ''
    if (isTrying) return
    setFailure(undefined)
    if (key === '') return setProblem('Enter an API key.')
    setTrying(true)
    try {
      await connect(key, setExchange).pets.list({ limit: 1 })
      onSignedIn(key)
    } catch (error) {
      const failed = failureOf(error)
      const isAboutKey = failed instanceof AuthenticationError || error instanceof TypeError
      setProblem(isAboutKey ? failed.message : undefined)
      setFailure(isAboutKey ? undefined : failed)
      setTrying(false)
      input.current?.focus()
    }
  }

  return (
    <div class="sign-in">
      <form class="card sign-in-card" onSubmit={submit} noValidate>
        <h1>Sign in</h1>
        <p class="muted">
          This is the <strong>{facts.environment}</strong> store. Your key stays in this browser tab and is
          forgotten when you close it.
        </p>
        <Field id="api-key" label="API key" problem={problem}>
          {described => (
            <div class="input-with-button">
              <input
                {...described}
                ref={input}
                class={`input mono ${isShown ? '' : 'masked'}`}
                type="text"
                autocomplete="off"
                autocapitalize="off"
                spellcheck={false}
                placeholder={facts.environment === 'production' ? 'pets_live_…' : 'pets_test_…'}
              />
              <button
                type="button"
                class="button button-quiet"
                aria-pressed={isShown}
                onClick={() => setShown(!isShown)}
              >
                {isShown ? 'Hide' : 'Show'}
                <span class="hidden"> the key</span>
              </button>
            </div>
          )}
        </Field>
        {failure && <FailureNote failure={failure} />}
        <button type="submit" class="button button-primary button-wide" aria-disabled={isTrying}>
          {isTrying ? 'Signing in…' : 'Sign in'}
        </button>
        <p class="muted small">
          No key yet? Whoever runs the service makes one with{' '}
          <code>petstore keys create --name "your name"</code>.
        </p>
      </form>
      <RequestDetails exchange={exchange} />
    </div>
  )
}
