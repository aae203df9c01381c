import { expect, spyOn, test } from 'bun:test'
import { Timeouts } from './timeouts.ts'

test.each(['is done', 'has failed'])('no timer is left of work that %s', async how => {
  using starting = spyOn(globalThis, 'setInterval')
  using stopping = spyOn(globalThis, 'clearInterval')
  const work = how === 'is done' ? Promise.resolve() : Promise.reject(new Error('failed'))
  await new Timeouts().inTime(work, 60_000).catch(() => {})
  const [sweep] = starting.mock.calls[0] as [() => void]
  sweep()
  expect(stopping).toHaveBeenCalledTimes(1)
})
