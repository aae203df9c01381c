import { expect, spyOn, test } from 'bun:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { BodyAbandoned, BodyReader } from './body.ts'

const NEVER = new Promise<void>(() => {})

/** A request whose body comes in this many pieces of this size, and ends when it may, with so many more bytes. */
const sending = (
  pieces: number,
  size: number,
  end: Promise<unknown> = Promise.resolve(),
  length = { 'Transfer-Encoding': 'chunked' } as Record<string, string>,
): Request => {
  let sent = 0
  const body = new ReadableStream({
    pull: controller => {
      if (sent++ >= pieces)
        return end.then(more => {
          if (typeof more === 'number') controller.enqueue(new Uint8Array(more))
          controller.close()
        })
      controller.enqueue(new TextEncoder().encode('7'.padStart(size)))
      return undefined
    },
  })
  const headers = { 'Content-Type': 'application/json', ...length }
  return new Request('http://x', { method: 'POST', headers, body })
}

test.each<[pieces: number, size: number, isRead: boolean]>([
  [4, 1024 * 1024, true],
  [5, 1024 * 1024, false],
  [90, 1, true],
  [110, 1, false],
  // Larger pieces may be more.
  [150, 500, true],
])('a rejected body in %d pieces of %d bytes is read to its end: %p', async (pieces, size, isRead) => {
  expect(await new BodyReader(1).discard(sending(pieces, size))).toBe(isRead)
})

test('a body is read once in a turn of the event loop, so that the runtime joins tiny chunks', async () => {
  let turns = 0
  const count = (): void => {
    turns++
    timer = setImmediate(count)
  }
  let timer = setImmediate(count)
  await new BodyReader(1).readJson(sending(500, 1))
  clearImmediate(timer)
  expect(turns).toBeGreaterThanOrEqual(500)
})

test('256 rejected bodies are read at a time, and one that stalls soon loses its place', async () => {
  const bodies = new BodyReader(1)
  const stalling = Array.from({ length: 255 }, () => bodies.discard(sending(1, 1, NEVER)))
  expect(await bodies.discard(sending(1, 1))).toBe(true)
  stalling.push(bodies.discard(sending(1, 1, NEVER)))
  // A body beyond the limit took no place, so it frees none.
  for (let n = 0; n < 300; n++) expect(await bodies.discard(sending(1, 1))).toBe(false)
  // A tenth of the time that a whole body may take.
  using _clock = spyOn(performance, 'now').mockReturnValue(performance.now() + 1000)
  expect(new Set(await Promise.all(stalling))).toEqual(new Set([false]))
  expect(await bodies.discard(sending(1, 1))).toBe(true)
})

test('a rejected body that comes in slowly is read for 10 seconds', async () => {
  const { promise: end, resolve } = Promise.withResolvers<void>()
  const now = performance.now()
  // When it begins, and when it waits for its second piece.
  using clock = spyOn(performance, 'now')
    .mockReturnValue(now + 9500)
    .mockReturnValueOnce(now)
  const discarding = new BodyReader(1).discard(sending(1, 1, end))
  for (let turn = 0; turn < 10; turn++) await nextTurn()
  clock.mockReturnValue(now + 10_000)
  void Bun.sleep(1000).then(() => resolve())
  expect(await discarding).toBe(false)
})

test('bodies beyond the memory that their thread may take are a 503, until others are complete', async () => {
  const [bodies, size] = [new BodyReader(64), 64 * 1024]
  const { promise: end, resolve } = Promise.withResolvers<void>()
  const declared = { 'Content-Length': `${size}` }
  const largest = Array.from({ length: 16 }, (_, n) =>
    bodies.readJson(sending(1, size, end, n % 2 ? declared : undefined)),
  )
  await expect(bodies.readJson(sending(1, 1))).rejects.toMatchObject({ code: 'unavailable' })
  resolve()
  expect(new Set(await Promise.all(largest))).toEqual(new Set([7]))
  expect(await bodies.readJson(sending(1, size))).toBe(7)
})

test('a body that is not complete after 10 seconds is given up with its connection, and takes no more memory', async () => {
  // Its memory is that of one of the largest bodies.
  const bodies = new BodyReader(1024)
  const { promise: end, resolve } = Promise.withResolvers<number>()
  const slow = Array.from({ length: 20 }, () => bodies.readJson(sending(1, 1, end)))
  slow.push(bodies.readJson(sending(1, 1, NEVER, { 'Content-Length': '2' })))
  const givenUp = Promise.all(slow.map(each => each.catch((error: unknown) => error)))
  await nextTurn()
  await nextTurn()
  const now = performance.now()
  using clock = spyOn(performance, 'now').mockReturnValue(now + 9000)
  // Fails if one of them is given up.
  await Promise.race([...slow, Bun.sleep(500)])
  clock.mockReturnValue(now + 10_000)
  for (const error of await givenUp) expect(error).toBeInstanceOf(BodyAbandoned)
  resolve(60_000)
  for (let turn = 0; turn < 10; turn++) await nextTurn()
  expect(await bodies.readJson(sending(1, 64 * 1024))).toBe(7)
  const another = bodies.readJson(sending(1, 1, NEVER))
  for (let turn = 0; turn < 10; turn++) await nextTurn()
  clock.mockReturnValue(now + 30_000)
  await expect(another).rejects.toBeInstanceOf(BodyAbandoned)
})

test.each([
  [2, false],
  [9, true],
])('a body of %d MiB is too large, and ends its connection: %p', async (pieces, isAbandoned) => {
  const reading = new BodyReader(1).readJson(sending(pieces, 1024 * 1024))
  const error: unknown = await reading.catch((cause: unknown) => cause)
  expect(error instanceof BodyAbandoned).toBe(isAbandoned)
})
