/** What many may use at a time, and no more than this in all. */
export class Budget {
  #left: number

  constructor(amount: number) {
    this.#left = amount
  }

  /** Whether there was as much left; what was taken is given back later. */
  take(amount: number): boolean {
    if (amount > this.#left) return false
    this.#left -= amount
    return true
  }

  giveBack(amount: number): void {
    this.#left += amount
  }
}
