import { createContext } from 'preact'
import { useContext } from 'preact/hooks'
import { useObserved } from '../parts/observed.ts'
import type { CategoryNames } from './names.ts'

export const CategoryContext = createContext<CategoryNames | undefined>(undefined)

export function useCategoryNames(): CategoryNames {
  const names = useContext(CategoryContext)
  if (names === undefined) throw new Error('No category names are provided.')
  return names
}

/** The name that a category has in this browser. */
export function useCategoryName(category: string): string | undefined {
  const names = useObserved(useCategoryNames().names)
  return Object.hasOwn(names, category) ? names[category] : undefined
}

/** The number, which is the truth, and beside it the name, marked as one of this browser. */
export function Category({ id }: { id: string }) {
  const name = useCategoryName(id)
  return (
    <>
      {id}
      {name && (
        <span class="local-name" title="This name is stored only in this browser">
          {name}
          <span class="hidden"> (name in this browser only)</span>
        </span>
      )}
    </>
  )
}
