import { useState } from 'preact/hooks'
import { Additions } from './add/additions.ts'
import { AnimalsPage } from './list/animals-page.tsx'
import { Header } from './parts/header.tsx'
import { forgetKey, keepKey, keptKey } from './sign-in/kept-key.ts'
import { SignIn } from './sign-in/sign-in.tsx'

/** Signed in or not: everything else follows from the address, and from what is on its way. */
export function App() {
  const [apiKey, setApiKey] = useState(keptKey)
  const [refusal, setRefusal] = useState<string>()
  const [additions] = useState(() => new Additions())

  const signIn = (key: string) => {
    keepKey(key)
    setRefusal(undefined)
    setApiKey(key)
  }
  const leave = (reason?: string) => {
    forgetKey()
    setRefusal(reason)
    setApiKey(undefined)
  }
  const signOut = () => {
    additions.signOut()
    leave()
  }

  return (
    <>
      <Header apiKey={apiKey} onSignOut={signOut} />
      <main>
        {apiKey === undefined ? (
          <SignIn refusal={refusal} onSignedIn={signIn} />
        ) : (
          <AnimalsPage apiKey={apiKey} additions={additions} onRefused={leave} />
        )}
      </main>
    </>
  )
}
