import { kept } from '../../storage.ts'
import type { Additions } from '../add/additions.ts'
import type { CategoryNames } from '../add/draft.ts'
import type { ImportRun } from '../import/import-run.ts'
import { context, Observed, useObserved } from '../parts/hooks.ts'
import type { PetIndex } from '../pets/pet-index.ts'

/** Everything that belongs to the API key that is signed in. */
export interface Session {
  readonly apiKey: string
  readonly index: PetIndex
  readonly additions: Additions
  /** The import continues even if its sheet is closed. Its report outlasts a refused API key, and a sign-out if animals may have been added. */
  readonly importing: Observed<ImportRun | undefined>
  /** Returns to the sign-in, because the key is no longer accepted. */
  readonly leave: (reason: string) => void
  readonly signOut: () => void
}

export const [SessionProvider, useSession] = context<Session>('The session')

const NO_NAMES: CategoryNames = {}

const DEFAULTS = {
  categoryNames: NO_NAMES,
  hasShortcuts: true,
}

/** Personal settings, kept only in this browser. The service does not know them. */
export type Settings = Readonly<typeof DEFAULTS>

const stored = (): Settings => {
  const found: Partial<Settings> = Object(kept.settings.getJson())
  return { ...DEFAULTS, ...found, categoryNames: { ...found.categoryNames } }
}

export class BrowserSettings {
  readonly state = new Observed<Settings>(stored())

  constructor() {
    kept.settings.follow(() => this.state.set(stored()))
  }

  /** Starts from what is stored, because another tab may have changed it. */
  set(change: Partial<Settings>): void {
    const settings = { ...stored(), ...change }
    kept.settings.setJson(settings)
    this.state.set(settings)
  }

  nameCategory(category: string, name: string): void {
    const { [category]: _, ...others } = stored().categoryNames
    this.set({ categoryNames: name.trim() === '' ? others : { ...others, [category]: name.trim() } })
  }
}

export const [SettingsProvider, useBrowserSettings] = context<BrowserSettings>('The settings')

export const useSettings = (): Settings => useObserved(useBrowserSettings().state)

export const useCategoryName = (category: string): string | undefined => useSettings().categoryNames[category]
