import { expect, jest, test } from 'bun:test'
import { Window } from 'happy-dom'
import { h, render } from 'preact'
import { Observed, useWork } from './hooks.ts'

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

test('long work goes on later; until then the last result stays, and only the newest is shown', async () => {
  const shown: string[] = []
  function* slow(name: string) {
    for (let step = 0; step < 5; step++) yield Bun.sleepSync(6)
    return name
  }
  function Show({ name }: { name: string }) {
    const [result, isBusy] = useWork(() => slow(name), [name])
    shown.push(isBusy ? `${result} …` : result)
    return null
  }
  const { body } = new Window().document
  for (const name of ['one', 'two', 'three']) render(h(Show, { name }), body as never)
  for (let looks = 0; looks < 1000 && shown.at(-1) !== 'three'; looks++) await Bun.sleep(1)
  expect([...new Set(shown)]).toEqual(['one', 'one …', 'three'])
})
