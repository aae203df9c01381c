/** Everything that the pages keep in the browser. What is kept for the tab ends with it; the rest is of this browser. */
const entry = (storage: () => Storage, name: string) => {
  const key = `petstore-${name}`
  const get = (): string | undefined => storage().getItem(key) ?? undefined
  const set = (text: string | undefined): void =>
    text === undefined ? storage().removeItem(key) : storage().setItem(key, text)
  return {
    get,
    set,
    /** Nothing, where it is missing or is not JSON: people and other releases may have written it. */
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
  /** What is typed, and what may have been added. */
  additions: ofTab('additions'),
  lastCategory: ofTab('last-category'),
  settings: ofBrowser('settings'),
  /** The cursor of the last page of a large store. */
  end: ofBrowser('end'),
  language: ofBrowser('reference-language'),
} as const
