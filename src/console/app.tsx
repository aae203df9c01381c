import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import { Additions } from './add/additions.ts'
import { AnimalsPage } from './list/animals-page.tsx'
import { Header } from './parts/header.tsx'
import { Observed } from './parts/hooks.ts'
import { PetIndex } from './pets/pet-index.ts'
import { KeySharing } from './session/key-sharing.ts'
import { type Session, SessionProvider } from './session/session.ts'
import { BrowserSettings, SettingsProvider } from './session/settings.ts'
import { SignIn } from './session/sign-in.tsx'
import { kept } from './storage.ts'

/** Signed in or not: everything else follows from the address, and from what is on its way. */
export function App() {
  const [apiKey, setApiKey] = useState(() => kept.apiKey.get())
  const [refusal, setRefusal] = useState<string>()
  const [settings] = useState(() => new BrowserSettings())
  const [additions] = useState(() => new Additions(settings))
  const [sharing] = useState(() => new KeySharing())
  const current = useRef(apiKey)
  current.current = apiKey
  const session = useMemo<Session | undefined>(
    () =>
      apiKey === undefined
        ? undefined
        : { apiKey, additions, index: new PetIndex(apiKey), importing: new Observed(undefined) },
    [apiKey, additions],
  )

  const isShared = () => kept.isKeyShared.get() !== undefined
  const signIn = (key: string, isForAllTabs: boolean) => {
    kept.apiKey.set(key)
    kept.isKeyShared.set(isForAllTabs ? '1' : undefined)
    setRefusal(undefined)
    setApiKey(key)
  }
  const leave = (reason?: string) => {
    kept.apiKey.set(undefined)
    kept.isKeyShared.set(undefined)
    setRefusal(reason)
    setApiKey(undefined)
  }
  const signOut = () => {
    if (isShared()) sharing.end()
    additions.signOut()
    leave()
  }

  useEffect(
    () =>
      sharing.follow({
        offered: () => (isShared() ? current.current : undefined),
        onKey: key => {
          if (current.current === undefined) signIn(key, true)
        },
        onEnd: () => {
          if (isShared()) leave()
        },
      }),
    [sharing],
  )

  return (
    <SettingsProvider value={settings}>
      <Header apiKey={apiKey} onSignOut={signOut} />
      <main>
        {session === undefined ? (
          <SignIn refusal={refusal} onSignedIn={signIn} />
        ) : (
          <SessionProvider value={session} key={apiKey}>
            <AnimalsPage onRefused={leave} />
          </SessionProvider>
        )}
      </main>
    </SettingsProvider>
  )
}
