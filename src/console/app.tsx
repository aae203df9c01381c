import { useState } from 'preact/hooks'
import { AnimalsPage } from './list/animals-page.tsx'
import { Header } from './parts/header.tsx'
import { forgetKey, keepKey, keptKey } from './sign-in/kept-key.ts'
import { SignIn } from './sign-in/sign-in.tsx'

/** Signed in or not: everything else follows from the address. */
export function App() {
  const [apiKey, setApiKey] = useState(keptKey)
  const [refusal, setRefusal] = useState<string>()

  const signIn = (key: string) => {
    keepKey(key)
    setRefusal(undefined)
    setApiKey(key)
  }
  const signOut = (reason?: string) => {
    forgetKey()
    setRefusal(reason)
    setApiKey(undefined)
  }

  return (
    <>
      <Header apiKey={apiKey} onSignOut={() => signOut()} />
      <main>
        {apiKey === undefined ? (
          <SignIn refusal={refusal} onSignedIn={signIn} />
        ) : (
          <AnimalsPage apiKey={apiKey} onRefused={signOut} />
        )}
      </main>
    </>
  )
}
