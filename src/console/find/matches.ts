import type { Pet, PetStatus } from '../../../client/src/index.ts'

/** Letters are compared regardless of case, everything else as it is. */
export function matchesOf(
  animals: readonly Pet[],
  query: string,
  status: PetStatus | undefined,
): readonly Pet[] {
  const wanted = query.toLowerCase()
  const isId = /^\d+$/.test(query)
  return animals.filter(
    pet =>
      (status === undefined || pet.status === status) &&
      ((isId && String(pet.id) === query) || pet.name.toLowerCase().includes(wanted)),
  )
}
