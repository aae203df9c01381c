import { expect, jest, test } from 'bun:test'
import { Observed } from './hooks.ts'

test('a value that changes often is shown again and again, each time after a moment', () => {
  jest.useFakeTimers()
  const observed = new Observed(0)
  const shown: number[] = []
  observed.follow(() => shown.push(observed.value))
  for (let value = 1; value <= 5; value++) {
    observed.setSoon(value)
    jest.advanceTimersByTime(30)
  }
  jest.advanceTimersByTime(60)
  jest.useRealTimers()
  expect(shown).toEqual([1, 3, 5])
})
