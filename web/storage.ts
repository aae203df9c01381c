/** Undefined if it throws, because people can block site data, and other releases may have written something else. */
function attempt<Result>(use: () => Result): Result | undefined {
  try {
    return use()
  } catch {
    return undefined
  }
}

/** Everything that the pages store in the browser, some of it only until the tab is closed. */
const entry = (storage: () => Storage, name: string) => {
  const key = `petstore-${name}`
  let unkept: string | undefined
  const get = (): string | undefined => unkept ?? attempt(() => storage().getItem(key)) ?? undefined
  const set = (text: string | undefined): void => {
    unkept = text
    attempt(() => {
      if (text === undefined) storage().removeItem(key)
      else storage().setItem(key, text)
      unkept = undefined
    })
  }
  return {
    get,
    set,
    getJson: (): unknown => attempt(() => JSON.parse(get() ?? '')),
    setJson: (value: object | undefined): void => set(value && JSON.stringify(value)),
    /** Calls `act` whenever another tab has changed it. */
    follow: (act: () => void): void =>
      window.addEventListener('storage', changed => {
        if (changed.key === key || changed.key === null) act()
      }),
  }
}

const ofTab = (name: string) => entry(() => sessionStorage, name)
const ofBrowser = (name: string) => entry(() => localStorage, name)

export const kept = {
  apiKey: ofTab('api-key'),
  /** The draft, animals that were sent but not added yet, and the last category. */
  additions: ofTab('additions'),
  settings: ofBrowser('settings'),
  language: ofBrowser('reference-language'),
} as const
