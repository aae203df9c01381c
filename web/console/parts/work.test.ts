import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { advance, STEP, sorted } from './work.ts'

function* counting(steps: number) {
  for (let step = 0; step < steps; step++) yield
  return steps
}

test('work goes on where it was interrupted, and has a result once it is done', () => {
  const work = counting(3)
  expect([advance(work, 0), advance(work, 0), advance(work, 0), advance(work, 0)]).toEqual([
    undefined,
    undefined,
    undefined,
    { result: 3 },
  ])
  expect(advance(counting(3), Infinity)).toEqual({ result: 3 })
})

/** Some are equal, and each knows where it was. */
const items = fc
  .array(fc.nat(99), { minLength: 0, maxLength: 5 * STEP, size: 'max' })
  .map(numbers => numbers.map((number, place) => ({ number, place })))

test('sorting in steps has the same result as in one go, and leaves equal ones as they are', () =>
  fc.assert(
    fc.property(items, all => {
      const compare = (one: { number: number }, other: { number: number }) => one.number - other.number
      const result = advance(sorted(all, compare), Infinity)?.result ?? []
      expect(result.map(({ place }) => place).join()).toBe(
        all
          .toSorted(compare)
          .map(({ place }) => place)
          .join(),
      )
    }),
    // A smaller example would be looked for among thousands of items, for minutes.
    { numRuns: 30, endOnFailure: true },
  ))

test('no step of sorting compares more than a short run needs', () => {
  let compared = 0
  const numbers = Array.from({ length: 20 * STEP }, (_, at) => (at * 7919) % 104_729)
  const work = sorted(numbers, (one, other) => {
    compared++
    return one - other
  })
  let most = 0
  for (let isDone = false; !isDone; most = Math.max(most, compared)) {
    compared = 0
    isDone = work.next().done === true
  }
  expect(most).toBeLessThan(STEP * Math.log2(2 * STEP))
})
