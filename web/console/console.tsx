import { render } from 'preact'
import { useState } from 'preact/hooks'
import { root } from '../page.ts'
import { AnimalsPage } from './list/animals-page.tsx'
import { keepFocus, useObserved, useWindowEvents } from './parts/hooks.ts'
import { Access } from './session/access.ts'
import { BrowserSettings, SessionProvider, SettingsProvider } from './session/session.ts'
import { SignIn } from './session/sign-in.tsx'

/** Signed in or not. Everything else depends on the URL and on requests in progress. */
function App() {
  const [access] = useState(() => new Access())
  const [settings] = useState(() => new BrowserSettings())
  const { session, refusal } = useObserved(access.state)
  useWindowEvents(['beforeunload'], event => access.isImporting && event.preventDefault())

  return (
    <SettingsProvider value={settings}>
      {session ? (
        <SessionProvider value={session} key={session.apiKey}>
          <AnimalsPage />
        </SessionProvider>
      ) : (
        <main>
          <SignIn refusal={refusal} onSignedIn={apiKey => access.use(apiKey)} />
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
