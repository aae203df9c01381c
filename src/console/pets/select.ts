import type { NewPet, Pet, PetStatus } from '../../../client/src/index.ts'

export interface Selection {
  readonly status: PetStatus | undefined
  readonly query: string
  readonly order: 'newest' | 'oldest'
}

type CategoryNames = Readonly<Record<string, string>>

/** The animals of a view, in its order. The input is in ascending order of ID. */
export function selected(
  pets: readonly Pet[],
  { status, query, order }: Selection,
  categoryNames: CategoryNames,
): readonly Pet[] {
  const matches = query === '' ? () => true : matcherOf(query, categoryNames)
  const found = pets.filter(pet => (status === undefined || pet.status === status) && matches(pet))
  return order === 'newest' ? found.reverse() : found
}

/**
 * Matches any part of a name, regardless of case; a whole ID; or a whole category, by its number or by any part of the name that it
 * has in this browser.
 */
function matcherOf(query: string, categoryNames: CategoryNames): (pet: Pet) => boolean {
  const wanted = query.toLowerCase()
  const number = /^-?\d{1,19}$/.test(query) ? BigInt(query) : undefined
  const categories = new Set(
    Object.entries(categoryNames)
      .filter(([category, name]) => /^-?\d+$/.test(category) && name.toLowerCase().includes(wanted))
      .map(([category]) => BigInt(category)),
  )
  return ({ id, name, categoryId }) =>
    id === number ||
    categoryId === number ||
    categories.has(categoryId) ||
    name.toLowerCase().includes(wanted)
}

/** Number of animals by status. */
export function countsOf(pets: readonly Pet[]): ReadonlyMap<Pet['status'], number> {
  const counts = new Map<Pet['status'], number>()
  for (const { status } of pets) counts.set(status, (counts.get(status) ?? 0) + 1)
  return counts
}

/** The categories in use, the most used first. */
export function categoriesOf(pets: readonly Pet[]): readonly string[] {
  const uses = new Map<bigint, number>()
  for (const { categoryId } of pets) uses.set(categoryId, (uses.get(categoryId) ?? 0) + 1)
  return [...uses].sort(([, one], [, other]) => other - one).map(([category]) => String(category))
}

type Content = Pick<NewPet, 'name' | 'categoryId'>

/** Number of rows with the same name and category as an animal in the store. */
export function twinsOf(rows: readonly { readonly pet: Content }[], pets: readonly Pet[]): number {
  const contentOf = ({ name, categoryId }: Content): string => `${categoryId} ${name}`
  const known = new Set(pets.map(contentOf))
  return rows.filter(({ pet }) => known.has(contentOf(pet))).length
}
