import './styles/index.css'
import { render } from 'preact'
import { useMemo, useState } from 'preact/hooks'
import { Additions } from './add/additions.ts'
import { AnimalsPage } from './list/animals-page.tsx'
import { environment, root } from './page.ts'
import { Button } from './parts/fields.tsx'
import { Observed } from './parts/hooks.ts'
import { PetIndex } from './pets/pet-index.ts'
import { visibleHint } from './session/api-key.ts'
import { BrowserSettings, type Session, SessionProvider, SettingsProvider } from './session/session.ts'
import { SignIn } from './session/sign-in.tsx'
import { kept } from './storage.ts'

/** Signed in or not. Everything else depends on the URL and on requests in progress. */
function App() {
  const [apiKey, setApiKey] = useState(() => kept.apiKey.get())
  const [refusal, setRefusal] = useState<string>()
  const [settings] = useState(() => new BrowserSettings())
  const [additions] = useState(() => new Additions(() => settings.state.value.categoryNames))

  const signIn = (key: string) => {
    kept.apiKey.set(key)
    setRefusal(undefined)
    setApiKey(key)
  }
  const leave = (reason?: string) => {
    kept.apiKey.set(undefined)
    setRefusal(reason)
    setApiKey(undefined)
  }
  const signOut = () => {
    additions.signOut()
    leave()
  }

  const session = useMemo<Session | undefined>(
    () =>
      apiKey === undefined
        ? undefined
        : { apiKey, additions, index: new PetIndex(apiKey), importing: new Observed(undefined), leave },
    [apiKey, additions],
  )

  return (
    <SettingsProvider value={settings}>
      <Header apiKey={apiKey} onSignOut={signOut} />
      <main>
        {session === undefined ? (
          <SignIn refusal={refusal} onSignedIn={signIn} />
        ) : (
          <SessionProvider value={session} key={apiKey}>
            <AnimalsPage />
          </SessionProvider>
        )}
      </main>
    </SettingsProvider>
  )
}

interface HeaderProps {
  readonly apiKey: string | undefined
  readonly onSignOut: () => void
}

const Header = ({ apiKey, onSignOut }: HeaderProps) => (
  <header class={`header header-${environment()}`}>
    <div class="header-row">
      <a class="brand" href="./">
        <img src={iconUrl()} alt="" width="24" height="24" />
        <span class="roomy">Petstore</span>
      </a>
      <span class={`environment environment-${environment()}`}>
        <span class="hidden">Environment: </span>
        {environment()}
      </span>
      <nav aria-label="Pages">
        <a href="docs">Reference</a>
      </nav>
      {apiKey !== undefined && (
        <div class="session row">
          <code class="session-key muted" title="The API key of this tab">
            {visibleHint(apiKey)}
          </code>
          <Button look="quiet" onClick={onSignOut}>
            Sign out
          </Button>
        </div>
      )}
    </div>
  </header>
)

const iconUrl = (): string => document.querySelector<HTMLLinkElement>('link[rel=icon]')?.href ?? ''

render(<App />, root())
