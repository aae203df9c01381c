import { PET_STATUSES, type Pet, type PetStatus } from '../../../client/src/index.ts'
import type { CategoryNames } from '../add/draft.ts'
import { STEP, sorted, type Work } from '../parts/work.ts'

export const SORTS = ['id', 'name', '-name', 'category', '-category', 'status', '-status'] as const
/** Undefined is newest first. */
export type Sort = (typeof SORTS)[number] | undefined

export interface Selection {
  readonly status: PetStatus | undefined
  readonly category: string | undefined
  readonly query: string
}

/** Numbers of animals in the order of PET_STATUSES, and last those of any other status. */
export type Tally = readonly number[]

export const totalOf = (tally: Tally): number => tally.reduce((sum, count) => sum + count, 0)

/** A part in whole percents, each rounded for itself. Some is neither nothing nor all. */
export function shareOf(tally: Tally, place: number): string {
  const [total, count] = [totalOf(tally), tally[place] ?? 0]
  const share = Math.round((100 * count) / total)
  if (share === 0 && count > 0) return '<1 %'
  return share === 100 && count < total ? '>99 %' : `${share} %`
}

/**
 * Finds and counts in one pass: the animals of the selection, in the given order, but first the one whose ID was searched for; how
 * many there would be without the search; and the numbers by status and by category, each as if it were not chosen itself.
 */
export function* surveyOf(
  pets: readonly Pet[],
  { status, category, query }: Selection,
  names: CategoryNames,
) {
  const matches = query === '' ? () => true : matcherOf(query, names)
  const wanted = category === undefined ? undefined : BigInt(category)
  const found: Pet[] = []
  const byStatus = [0, 0, 0, 0]
  const byCategory = new Map<bigint, number[]>()
  let outOf = 0
  for (const [place, pet] of pets.entries()) {
    if (place % STEP === 0) yield
    const isOfStatus = status === undefined || pet.status === status
    const isOfCategory = wanted === undefined || pet.categoryId === wanted
    if (isOfStatus && isOfCategory) outOf++
    if (!matches(pet)) continue
    if (isOfStatus && isOfCategory) found.push(pet)
    if (isOfCategory) count(byStatus, pet)
    if (!isOfStatus) continue
    const tally = byCategory.get(pet.categoryId)
    if (tally) count(tally, pet)
    else byCategory.set(pet.categoryId, count([0, 0, 0, 0], pet))
  }
  const id = numberIn(query)
  const exact = found.findIndex(pet => pet.id === id)
  if (exact > 0) found.unshift(...found.splice(exact, 1))
  const categories = yield* sorted(
    [...byCategory],
    ([one, ones], [other, others]) => totalOf(others) - totalOf(ones) || (one < other ? -1 : 1),
  )
  return { found, outOf, byStatus, byCategory: categories.map(([id, tally]) => [String(id), tally] as const) }
}

const STATUSES: readonly Pet['status'][] = PET_STATUSES

const placeOf = ({ status }: Pet): number => {
  const place = STATUSES.indexOf(status)
  return place === -1 ? PET_STATUSES.length : place
}

function count(tally: number[], pet: Pet): number[] {
  const place = placeOf(pet)
  tally[place] = (tally[place] ?? 0) + 1
  return tally
}

/** Matches any part of a name, a whole ID, or a category by its whole number or any part of the name that it has in this browser. */
function matcherOf(query: string, categoryNames: CategoryNames): (pet: Pet) => boolean {
  const [text, number] = [folded(query), numberIn(query)]
  const numbers = Object.keys(categoryNames).filter(number =>
    folded(categoryNames[number] ?? '').includes(text),
  )
  const categories = new Set([query, ...numbers].map(numberIn))
  return ({ id, name, categoryId }) =>
    id === number || categories.has(categoryId) || folded(name).includes(text)
}

const numberIn = (text: string): bigint | undefined => (/^-?\d{1,19}$/.test(text) ? BigInt(text) : undefined)

/** Letters that Unicode does not split into a letter and an accent, and how people type them. */
const [LETTERS, TYPED] = ['ßæœøłđðþı', ['ss', 'ae', 'oe', 'o', 'l', 'd', 'd', 'th', 'i']] as const

/** Text without case, accents and apostrophes, which people type differently or not at all. */
function folded(text: string): string {
  const plain = text.replace(/['`´‘’ʻʼ′]/g, '').toLowerCase()
  if (/^[ -~]*$/.test(plain)) return plain
  return plain
    .normalize('NFKD')
    .replace(/\p{M}|[ßæœøłđðþı]/gu, letter => TYPED[LETTERS.indexOf(letter)] ?? '')
}

/** All animals in an order. Equal ones have the newest first. The input is in ascending order of ID. */
export function* ordered(pets: readonly Pet[], sort: Sort, names: CategoryNames): Work<readonly Pet[]> {
  if (sort === 'id') return pets
  const newest = pets.toReversed()
  if (sort === undefined) return newest
  // Ordering digits by their value would take four times as long.
  const { compare } = new Intl.Collator()
  const direction = sort.startsWith('-') ? -1 : 1
  if (sort.endsWith('name'))
    return yield* sorted(newest, (one, other) => direction * compare(one.name, other.name))
  const placeIn = sort.endsWith('status') ? placeOf : yield* ranks(pets, names, compare)
  return yield* sorted(newest, (one, other) => direction * (placeIn(one) - placeIn(other)))
}

/** Categories with a name come first, the others by number. */
function* ranks(pets: readonly Pet[], names: CategoryNames, compare: Intl.Collator['compare']) {
  const nameOf = (id: bigint): string => names[`${id}`] ?? '\uffff'
  const categories = [...new Set(pets.map(({ categoryId }) => categoryId))]
  const inOrder = yield* sorted(
    categories,
    (one, other) => compare(nameOf(one), nameOf(other)) || (one < other ? -1 : 1),
  )
  const ranks = new Map(inOrder.map((category, rank) => [category, rank]))
  return ({ categoryId }: Pet): number => ranks.get(categoryId) ?? 0
}

/** The categories in use and their numbers of animals, the most used first. */
export function categoriesOf(pets: readonly Pet[]): ReadonlyMap<string, number> {
  const counts = new Map<bigint, number>()
  for (const { categoryId } of pets) counts.set(categoryId, (counts.get(categoryId) ?? 0) + 1)
  const largest = [...counts].sort(([, one], [, other]) => other - one)
  return new Map(largest.map(([category, count]) => [String(category), count]))
}
