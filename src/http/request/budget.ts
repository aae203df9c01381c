/** A shared amount with a fixed total. */
export class Budget {
  #left: number

  constructor(amount: number) {
    this.#left = amount
  }

  /** Whether that much was left; the caller gives it back later. */
  take(amount: number): boolean {
    if (amount > this.#left) return false
    this.#left -= amount
    return true
  }

  giveBack(amount: number): void {
    this.#left += amount
  }
}
