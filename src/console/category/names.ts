import { Observed } from '../parts/observed.ts'

const NAME = 'petstore-category-names'

type Names = Readonly<Record<string, string>>

/** Names that people give to categories. The service knows numbers only, so the names are of this browser alone. */
export class CategoryNames {
  readonly names = new Observed<Names>(keptNames())

  give(category: string, name: string): void {
    const { [category]: _, ...others } = this.names.value
    const names = name.trim() === '' ? others : { ...others, [category]: name.trim() }
    this.names.set(names)
    if (Object.keys(names).length === 0) localStorage.removeItem(NAME)
    else localStorage.setItem(NAME, JSON.stringify(names))
  }
}

function keptNames(): Names {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(NAME) ?? '{}')
    const pairs = Object.entries(kept as object).filter(([, name]) => typeof name === 'string')
    return Object.fromEntries(pairs) as Names
  } catch {
    return {}
  }
}
