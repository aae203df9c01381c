import { render } from 'preact'
import { useMemo, useState } from 'preact/hooks'
import { root } from '../page.ts'
import { kept } from '../storage.ts'
import { Additions } from './add/additions.ts'
import type { ImportRun } from './import/import-run.ts'
import { AnimalsPage } from './list/animals-page.tsx'
import { keepFocus, Observed, useWindowEvents } from './parts/hooks.ts'
import { PetIndex } from './pets/pet-index.ts'
import { BrowserSettings, type Session, SessionProvider, SettingsProvider } from './session/session.ts'
import { SignIn } from './session/sign-in.tsx'

/** Signed in or not. Everything else depends on the URL and on requests in progress. */
function App() {
  const [apiKey, setApiKey] = useState(() => kept.apiKey.get())
  const [refusal, setRefusal] = useState<string>()
  const [settings] = useState(() => new BrowserSettings())
  const [additions] = useState(() => new Additions())
  const [importing] = useState(() => new Observed<ImportRun | undefined>(undefined))

  const changeKey = (key: string | undefined, reason?: string) => {
    // An import goes on only with its own API key.
    importing.value?.pause()
    kept.apiKey.set(key)
    setRefusal(reason)
    setApiKey(key)
  }
  const session = useMemo<Session | undefined>(
    () =>
      apiKey
        ? {
            apiKey,
            additions,
            index: new PetIndex(apiKey),
            importing,
            // A late response may be about a key that is no longer used.
            leave: reason => kept.apiKey.get() === apiKey && changeKey(undefined, reason),
            signOut: () => {
              additions.signOut()
              if (!importing.value?.unsettled) importing.set(undefined)
              changeKey(undefined)
            },
          }
        : undefined,
    [apiKey],
  )
  additions.index = session?.index
  useWindowEvents(['beforeunload'], event => {
    if (importing.value?.stage === 'running' || importing.value?.unsettled) event.preventDefault()
  })

  return (
    <SettingsProvider value={settings}>
      {session ? (
        <SessionProvider value={session} key={apiKey}>
          <AnimalsPage />
        </SessionProvider>
      ) : (
        <main>
          <SignIn refusal={refusal} onSignedIn={changeKey} />
        </main>
      )}
    </SettingsProvider>
  )
}

/** Otherwise the browser would open a dropped file in place of this page. */
function keepPage(event: DragEvent): void {
  if (event.dataTransfer?.types.includes('Files')) event.preventDefault()
}

/** Steps that are meant to be taken quickly. */
const QUICK = '.pager, .sort, .sheet-foot .button-square'

/** The second click of a double click, or a key that is held down, would press what the first one has brought there. */
function actOnce(event: MouseEvent | KeyboardEvent): void {
  const pressed = (event.target as Element).closest('button, a, summary')
  const isAgain =
    event instanceof KeyboardEvent
      ? event.repeat && event.key === 'Enter'
      : event.detail > 1 && pressed && !pressed.closest(QUICK)
  if (!isAgain) return
  event.preventDefault()
  event.stopPropagation()
}

render(<App />, root())
keepFocus(root())
// A mouse button that goes down would also take the focus.
for (const name of ['mousedown', 'click', 'keydown'] as const)
  addEventListener(name, actOnce, { capture: true })
addEventListener('dragover', keepPage)
addEventListener('drop', keepPage)
