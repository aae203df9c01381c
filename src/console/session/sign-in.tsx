import { useEffect, useRef, useState } from 'preact/hooks'
import { AuthenticationError, type PetstoreError } from '../../../client/src/index.ts'
import { environment } from '../page.ts'
import { FailureNote } from '../parts/failure.tsx'
import { Button, TextField } from '../parts/fields.tsx'
import { useTitle } from '../parts/hooks.ts'
import { couldBeKey, keyIn } from './api-key.ts'
import { connect, failureOf } from './connect.ts'

interface Props {
  /** Why the previous key is no longer accepted. */
  readonly refusal: string | undefined
  readonly onSignedIn: (apiKey: string) => void
}

/** Tries a key on the smallest possible request, and keeps it only if it is accepted. */
export function SignIn({ refusal, onSignedIn }: Props) {
  const [problem, setProblem] = useState(refusal)
  const [failure, setFailure] = useState<PetstoreError>()
  const [isTrying, setTrying] = useState(false)
  const [isShown, setShown] = useState(false)
  const input = useRef<HTMLInputElement>(null)
  useTitle('Sign in')
  useEffect(() => input.current?.focus(), [])

  const submit = async (event: Event) => {
    event.preventDefault()
    const key = keyIn(input.current?.value ?? '')
    if (isTrying) return
    setFailure(undefined)
    if (key === '') return setProblem('Enter an API key.')
    if (!couldBeKey(key))
      return setProblem('This contains a character that API keys cannot have. Copy the key again.')
    setTrying(true)
    try {
      await connect(key).list({ limit: 1 })
      onSignedIn(key)
    } catch (error) {
      const failed = failureOf(error)
      const isAboutKey = failed instanceof AuthenticationError
      setProblem(isAboutKey ? failed.message : undefined)
      setFailure(isAboutKey ? undefined : failed)
      setTrying(false)
      input.current?.focus()
    }
  }

  return (
    <form class="card sign-in stack" onSubmit={submit} noValidate>
      <h1>Sign in</h1>
      <p class="muted">
        This is the <strong>{environment()}</strong> store. Your key is forgotten when you close this tab.
      </p>
      <TextField
        id="api-key"
        label="API key"
        problem={problem}
        ref={input}
        class="input mono"
        name="password"
        {...(isShown ? { type: 'text' as const } : { type: 'password' as const })}
        autocomplete="current-password"
        autocapitalize="off"
        spellcheck={false}
        placeholder={environment() === 'production' ? 'pets_live_…' : 'pets_test_…'}
      >
        <Button
          look="quiet"
          aria-label={isShown ? 'Hide the key' : 'Show the key'}
          onClick={() => setShown(!isShown)}
        >
          {isShown ? 'Hide' : 'Show'}
        </Button>
      </TextField>
      {failure && <FailureNote failure={failure} />}
      <button type="submit" class="button button-primary button-wide" aria-disabled={isTrying}>
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
