/** Everything that the pages store in the browser, some of it only until the tab is closed. */
const entry = (storage: () => Storage, name: string) => {
  const key = `petstore-${name}`
  const get = (): string | undefined => storage().getItem(key) ?? undefined
  const set = (text: string | undefined): void =>
    text === undefined ? storage().removeItem(key) : storage().setItem(key, text)
  return {
    get,
    set,
    /** Undefined if it is missing or not JSON, because people and other releases may have written it. */
    getJson(): unknown {
      try {
        return JSON.parse(get() ?? '')
      } catch {
        return undefined
      }
    },
    setJson: (value: object | undefined): void => set(value && JSON.stringify(value)),
  }
}

const ofTab = (name: string) => entry(() => sessionStorage, name)
const ofBrowser = (name: string) => entry(() => localStorage, name)

export const kept = {
  apiKey: ofTab('api-key'),
  /** The draft, and animals that may have been added. */
  additions: ofTab('additions'),
  lastCategory: ofTab('last-category'),
  settings: ofBrowser('settings'),
  /** The cursor of the last page of a large store. */
  end: ofBrowser('end'),
  language: ofBrowser('reference-language'),
} as const
