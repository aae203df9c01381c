/** Everything that the pages keep in the browser. What is kept for the tab ends with it; the rest is of this browser. */
class Entry {
  readonly #storage: () => Storage
  readonly #name: string

  constructor(storage: () => Storage, name: string) {
    this.#storage = storage
    this.#name = `petstore-${name}`
  }

  get(): string | undefined {
    return this.#storage().getItem(this.#name) ?? undefined
  }

  set(text: string | undefined): void {
    if (text === undefined) this.#storage().removeItem(this.#name)
    else this.#storage().setItem(this.#name, text)
  }

  /** Nothing, where it is missing or is not JSON: people and other releases may have written it. */
  getJson(): unknown {
    try {
      return JSON.parse(this.get() ?? '')
    } catch {
      return undefined
    }
  }

  setJson(value: object | undefined): void {
    this.set(value && JSON.stringify(value))
  }
}

const ofTab = (name: string) => new Entry(() => sessionStorage, name)
const ofBrowser = (name: string) => new Entry(() => localStorage, name)

export const kept = {
  apiKey: ofTab('api-key'),
  /** Whether the person of this tab lets other tabs have the key. */
  isKeyShared: ofTab('key-shared'),
  /** What is typed, and what may have been added. */
  additions: ofTab('additions'),
  lastCategory: ofBrowser('last-category'),
  settings: ofBrowser('settings'),
  /** The cursor of the last page of a large store. */
  end: ofBrowser('end'),
  language: ofBrowser('reference-language'),
} as const
