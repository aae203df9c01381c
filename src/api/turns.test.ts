import { afterEach, beforeEach, expect, type Mock, spyOn, test } from 'bun:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { Turns } from './turns.ts'

let clock: Mock<() => number>
beforeEach(() => {
  clock = spyOn(performance, 'now').mockReturnValue(0)
})
afterEach(() => clock.mockRestore())

/** Sends so many requests in one turn, each of which does this when it starts. */
function burst(count: number, work = (_: number): void => {}, abandoned?: number) {
  const turns = new Turns()
  const started: number[] = []
  const fetch = turns.bounding(({ url }) => {
    const number = Number(new URL(url).pathname.slice(1))
    started.push(number)
    work(number)
    return new Response(`${number}`)
  })
  const numbers = Array.from({ length: count }, (_, n) => n + 1)
  const responses = numbers.map(number =>
    fetch(new Request(`http://x/${number}`, number === abandoned ? { signal: AbortSignal.abort() } : {})),
  )
  return { turns, started, numbers, responses }
}

test('200 requests start in one turn of the event loop, the others in the next ones, oldest first', async () => {
  const { turns, started, numbers, responses } = burst(450)
  for (const [turn, count] of [200, 400, 450].entries()) {
    expect([turns.number, started]).toEqual([turn + 1, numbers.slice(0, count)])
    await nextTurn()
  }
  const answers = (await Promise.all(responses)).map(response => response.text())
  expect(await Promise.all(answers)).toEqual(numbers.map(String))
})

test('after 25 milliseconds, no more than 20 requests start in a turn, and none whose client is gone', async () => {
  const { started, numbers, responses } = burst(45, number => void clock.mockReturnValue(25 * number), 21)
  expect(started).toEqual(numbers.slice(0, 20))
  await Promise.all(responses)
  expect(started).toEqual(numbers.filter(number => number !== 21))
})

test('a request that waited and fails is the only one that does', async () => {
  const { responses } = burst(250, number => {
    if (number === 201) throw new Error('Refused')
  })
  const outcomes = await Promise.allSettled(responses)
  expect(outcomes.flatMap(({ status }, n) => (status === 'rejected' ? n + 1 : []))).toEqual([201])
})
