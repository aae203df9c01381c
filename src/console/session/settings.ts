import { context, Observed, useObserved } from '../parts/hooks.ts'
import { kept } from '../storage.ts'

/** What people set for themselves. It is of this browser alone: the service knows nothing of it. */
export interface Settings {
  /** Names that people give to categories, by number. */
  readonly categoryNames: Readonly<Record<string, string>>
  readonly hasShortcuts: boolean
  readonly showsRequests: boolean
}

const DEFAULTS: Settings = { categoryNames: {}, hasShortcuts: true, showsRequests: false }

export class BrowserSettings {
  readonly state = new Observed<Settings>({ ...DEFAULTS, ...Object(kept.settings.getJson()) })

  set(change: Partial<Settings>): void {
    this.state.set({ ...this.state.value, ...change })
    kept.settings.setJson(this.state.value)
  }

  nameCategory(category: string, name: string): void {
    const { [category]: _, ...others } = this.state.value.categoryNames
    this.set({ categoryNames: name.trim() === '' ? others : { ...others, [category]: name.trim() } })
  }
}

export const [SettingsProvider, useBrowserSettings] = context<BrowserSettings>('The settings')

export const useSettings = (): Settings => useObserved(useBrowserSettings().state)

export function useCategoryName(category: string): string | undefined {
  const { categoryNames } = useSettings()
  return Object.hasOwn(categoryNames, category) ? categoryNames[category] : undefined
}
