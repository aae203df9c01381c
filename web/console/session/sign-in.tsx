import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import { AuthenticationError, type PetstoreError } from '../../../client/src/index.ts'
import { couldBeKey, keyIn } from '../../api-key.ts'
import { environment } from '../../page.ts'
import { FailureNote } from '../parts/failure.tsx'
import { TextField } from '../parts/fields.tsx'
import { useTitle } from '../parts/hooks.ts'
import { failureOf, petsApi } from './api.ts'

const NOT_A_KEY = 'This contains a character that API keys cannot have. Copy the key again.'

interface Props {
  /** Why the previous key is no longer accepted. */
  readonly refusal: string | undefined
  readonly onSignedIn: (apiKey: string) => void
}

/** Tries a key on the smallest possible request, and keeps it only if it is accepted. */
export function SignIn({ refusal, onSignedIn }: Props) {
  /** What is wrong with the key, in words, or a failure that says nothing about it. */
  const [problem, setProblem] = useState<string | PetstoreError | undefined>(refusal)
  const [isTrying, setTrying] = useState(false)
  const input = useRef<HTMLInputElement>(null)
  const title = useRef<HTMLHeadingElement>(null)
  useTitle('Sign in')
  // Whoever was typing when the key was refused does not type on into the key.
  useLayoutEffect(() => (refusal === undefined ? input : title).current?.focus(), [])

  const submit = async (event: Event) => {
    event.preventDefault()
    if (isTrying) return
    const key = keyIn(input.current?.value ?? '')
    if (!couldBeKey(key)) return setProblem(key === '' ? 'Enter an API key.' : NOT_A_KEY)
    setTrying(true)
    try {
      await petsApi(key).list({ limit: 1 })
      onSignedIn(key)
    } catch (error) {
      const failure = failureOf(error)
      setProblem(failure instanceof AuthenticationError ? failure.message : failure)
      setTrying(false)
      input.current?.focus()
    }
  }

  return (
    <form class="card sign-in stack" onSubmit={submit} noValidate>
      <h1 ref={title} tabIndex={-1}>
        Sign in
      </h1>
      <p class="muted">
        This is the <strong>{environment()}</strong> store. Your key is forgotten when you close this tab.
      </p>
      <TextField
        id="api-key"
        label="API key"
        problem={typeof problem === 'string' ? problem : undefined}
        ref={input}
        name="password"
        type="password"
        autocomplete="current-password"
        autocapitalize="off"
        spellcheck={false}
        placeholder={environment() === 'production' ? 'pets_live_…' : 'pets_test_…'}
      />
      {typeof problem === 'object' && !isTrying && <FailureNote failure={problem} />}
      <button type="submit" class="button button-primary" aria-disabled={isTrying}>
        {isTrying ? 'Signing in…' : 'Sign in'}
      </button>
      <p class="muted small">No key yet? Ask the person who runs this store’s service for one.</p>
      <details class="fold small">
        <summary>For the person who runs the service</summary>
        <p>
          <code>petstore keys create --name "Kim at the till"</code> makes a key and shows it once. Give each
          person a key of their own.
        </p>
      </details>
    </form>
  )
}
