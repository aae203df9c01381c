import { useListing } from '../list/listing.ts'
import { CategoryFacet } from '../list/overview.tsx'
import { Sheet } from '../parts/sheet.tsx'
import { grouped } from '../parts/words.ts'
import { useBrowserSettings, useCategoryName } from '../session/session.ts'

/** More than anyone names by hand. */
const MOST = 500

/** All categories, the largest first: each a filter, and a field for its name. */
export function CategoriesSheet() {
  const { byCategory } = useListing()
  return (
    <Sheet title="Categories" isOnlyShown>
      <p class="small muted">Your names stay in this browser. The service knows only the numbers.</p>
      <div class="category-list">
        {byCategory.slice(0, MOST).map(([category]) => (
          <>
            <CategoryFacet category={category} hasNumber />
            <NameInput category={category} />
          </>
        ))}
      </div>
      {byCategory.length > MOST && <p class="muted">and {grouped(byCategory.length - MOST)} more</p>}
    </Sheet>
  )
}

function NameInput({ category }: { category: string }) {
  const settings = useBrowserSettings()
  return (
    <input
      class="input"
      aria-label={`Your name for category ${category}`}
      placeholder={`Name for ${category}`}
      maxLength={60}
      // Stored when it is left. Until then, no other tab changes what is typed.
      defaultValue={useCategoryName(category)}
      onChange={({ currentTarget: { value } }) => settings.nameCategory(category, value)}
    />
  )
}
