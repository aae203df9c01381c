import { useEffect, useRef, useState } from 'preact/hooks'
import { Additions } from './add/additions.ts'
import { CategoryContext } from './category/category.tsx'
import { CategoryNames } from './category/names.ts'
import { AnimalsPage } from './list/animals-page.tsx'
import { Header } from './parts/header.tsx'
import { forgetKey, keepKey, keptKey } from './sign-in/kept-key.ts'
import { isShared, KeySharing, share } from './sign-in/key-sharing.ts'
import { SignIn } from './sign-in/sign-in.tsx'

/** Signed in or not: everything else follows from the address, and from what is on its way. */
export function App() {
  const [apiKey, setApiKey] = useState(keptKey)
  const [refusal, setRefusal] = useState<string>()
  const [additions] = useState(() => new Additions())
  const [categories] = useState(() => new CategoryNames())
  const [sharing] = useState(() => new KeySharing())
  const current = useRef(apiKey)
  current.current = apiKey

  const signIn = (key: string, isForAllTabs: boolean) => {
    keepKey(key)
    share(isForAllTabs)
    setRefusal(undefined)
    setApiKey(key)
  }
  const leave = (reason?: string) => {
    forgetKey()
    share(false)
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
    <CategoryContext.Provider value={categories}>
      <Header apiKey={apiKey} onSignOut={signOut} />
      <main>
        {apiKey === undefined ? (
          <SignIn refusal={refusal} onSignedIn={signIn} />
        ) : (
          <AnimalsPage apiKey={apiKey} additions={additions} onRefused={leave} />
        )}
      </main>
    </CategoryContext.Provider>
  )
}
