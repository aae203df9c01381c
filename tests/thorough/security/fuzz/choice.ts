/** A number from 0 up to, but not including, this one. */
export type Below = (limit: number) => number

export const pick = <T>(below: Below, choices: readonly T[]): T => choices[below(choices.length)] as T

/** One of these, chosen by weight. */
export function weighted<T>(below: Below, choices: readonly (readonly [number, () => T])[]): T {
  let left = below(choices.reduce((sum, [weight]) => sum + weight, 0))
  for (const [weight, make] of choices) {
    if (left < weight) return make()
    left -= weight
  }
  throw new Error('The weights do not add up')
}

export const several = <T>(below: Below, most: number, make: () => T): T[] =>
  Array.from({ length: below(most + 1) }, make)

export const digits = (below: Below, most: number): string =>
  Array.from({ length: 1 + below(most) }, () => below(10)).join('')
