import type { Pet, PetPage } from '../../../client/src/index.ts'

/** Consecutive animals, and the cursor where reading continues. */
export class PetRange {
  readonly pets: Pet[] = []
  isAtEnd = false
  /** The cursor of the first animal, while it is known. */
  start: string | undefined
  next: string | undefined
  /** The last page read: its cursor, and how many animals come before it. */
  last: { readonly cursor: string | undefined; readonly before: number }

  constructor(start: string | undefined) {
    this.start = start
    this.next = start
    this.last = { cursor: start, before: 0 }
  }

  take(cursor: string | undefined, { items, nextCursor }: PetPage): void {
    this.last = { cursor, before: this.pets.length }
    for (const pet of items) this.pets.push(pet)
    this.next = nextCursor ?? undefined
    this.isAtEnd = nextCursor === null
  }

  /** Keeps only the last `count` animals. */
  forgetBefore(count: number): void {
    const { length } = this.pets.splice(0, Math.max(0, this.pets.length - count))
    if (length > 0) this.start = undefined
    this.last = { ...this.last, before: this.last.before - length }
  }
}
